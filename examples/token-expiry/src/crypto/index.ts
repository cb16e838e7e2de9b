import type { Config } from "../config";
import type { JwtCodec } from "../contracts";
import { HmacJwtCodec } from "./jwt-utils";

export { base64UrlDecode, base64UrlEncode } from "./encoding";
export { HmacJwtCodec } from "./jwt-utils";

export function buildCodec(config: Config): JwtCodec {
  return new HmacJwtCodec(config.signingKey);
}

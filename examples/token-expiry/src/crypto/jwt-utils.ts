import { createHmac, timingSafeEqual } from "node:crypto";

import type { Claims, JwtCodec } from "../contracts";
import { base64UrlDecode, base64UrlEncode } from "./encoding";

/** The only header we ever write, and the only one we accept when reading. */
const HEADER = { alg: "HS256", typ: "JWT" } as const;

/** Longest compact jwt that is looked at; real ones are around 400 characters. */
const MAX_COMPACT_LENGTH = 4096;

/** Splits a compact jwt into its three parts without decoding any of them. */
export function splitJwt(compact: string): readonly [string, string, string] | null {
  if (compact.length > MAX_COMPACT_LENGTH) return null;
  const parts = compact.split(".");
  if (parts.length !== 3) return null;
  const [header, payload, signature] = parts as [string, string, string];
  return header && payload && signature ? [header, payload, signature] : null;
}

/** Reads a jwt part as a JSON object; null for anything else. */
export function readJson(part: string): Record<string, unknown> | null {
  const bytes = base64UrlDecode(part);
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * Claims with the types we rely on. Some old mobile builds wrote `exp` and `iat`
 * in milliseconds; those are brought down to seconds here.
 */
export function readClaims(payload: Record<string, unknown>): Claims | null {
  const { sub, iss, sid, iat, exp } = payload;
  if (typeof sub !== "string" || typeof iss !== "string" || typeof sid !== "string") return null;
  if (typeof iat !== "number" || typeof exp !== "number") return null;
  return { sub, iss, sid, iat: toSeconds(iat), exp: toSeconds(exp) };
}

function toSeconds(value: number): number {
  return value > 10_000_000_000 ? Math.floor(value / 1000) : value;
}

/** HMAC-SHA256 codec. Keys are rotated by running two codecs side by side, newest first. */
export class HmacJwtCodec implements JwtCodec {
  constructor(private readonly key: string) {}

  encodeJwt(claims: Claims): string {
    const head = base64UrlEncode(JSON.stringify(HEADER));
    const body = base64UrlEncode(JSON.stringify(claims));
    return `${head}.${body}.${this.sign(`${head}.${body}`)}`;
  }

  decodeJwt(compact: string): Claims | null {
    const parts = splitJwt(compact);
    if (parts === null) return null;
    const [head, body, signature] = parts;
    if (readJson(head)?.alg !== HEADER.alg) return null;
    if (!this.signatureMatches(`${head}.${body}`, signature)) return null;
    const payload = readJson(body);
    return payload === null ? null : readClaims(payload);
  }

  private sign(input: string): string {
    return createHmac("sha256", this.key).update(input).digest("base64url");
  }

  private signatureMatches(input: string, signature: string): boolean {
    const ours = Buffer.from(this.sign(input));
    const theirs = Buffer.from(signature);
    return ours.length === theirs.length && timingSafeEqual(ours, theirs);
  }
}

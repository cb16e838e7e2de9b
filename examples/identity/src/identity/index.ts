import type { Services } from "../services";
import { CredentialCheck } from "./credential-check";
import { IdentityService } from "./identity-service";
import { SessionStore } from "./session-store";
import { TokenManager } from "./token-manager";

declare module "../services" {
  interface ServiceMap {
    identity: IdentityService;
  }
}

export type { Identity } from "./identity-service";

export function registerIdentity(services: Services): void {
  services.register("identity", (all) => {
    const { sealKey, rememberDays } = all.get("settings");
    const database = all.get("database");
    return new IdentityService(
      new CredentialCheck(database),
      new TokenManager(sealKey),
      new SessionStore(database),
      rememberDays,
    );
  });
}

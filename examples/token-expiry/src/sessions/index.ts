import type { Pool } from "pg";

import type { Config } from "../config";
import type { SessionRefresher } from "../contracts";
import type { Clock } from "../lib/clock";
import { GrantRepository } from "./grant-repository";
import { SessionManager } from "./session-manager";

export { SessionManager } from "./session-manager";
export type { GrantRow } from "./grant-repository";

/** What the container calls; nobody else needs the classes behind it. */
export function buildSessions(database: Pool, config: Config, clock: Clock): SessionRefresher {
  return new SessionManager(new GrantRepository(database), clock, {
    ttlSeconds: config.grantTtlSeconds,
    reuseWindowSeconds: 20,
  });
}

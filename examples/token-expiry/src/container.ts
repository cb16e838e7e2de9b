import { Pool } from "pg";

import { AuditLog } from "./audit/audit-log";
import { Auth } from "./auth/auth";
import { AccessTokens } from "./auth/tokens";
import { CouponBook } from "./billing/coupons";
import { Invoices } from "./billing/invoice";
import type { Config } from "./config";
import { buildCodec } from "./crypto";
import { FeatureFlags } from "./flags/feature-flags";
import { nightlyJobs } from "./jobs/nightly";
import { Scheduler } from "./jobs/scheduler";
import { type Clock, systemClock } from "./lib/clock";
import { createLogger, type Logger } from "./lib/logger";
import { Mailer } from "./mail/mailer";
import { Preferences } from "./notifications/preferences";
import { buildSessions } from "./sessions";
import { UserRepository } from "./users/user-repository";
import { UserService } from "./users/user-service";

export interface Container {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Pool;
  readonly auth: Auth;
  readonly users: UserService;
  readonly invoices: Invoices;
  readonly coupons: CouponBook;
  readonly preferences: Preferences;
  readonly flags: FeatureFlags;
  readonly scheduler: Scheduler;
}

/** The only place where services are constructed. */
export function createContainer(config: Config, clock: Clock = systemClock): Container {
  const logger = createLogger("accounts");
  const database = new Pool({ connectionString: config.databaseUrl, max: 20 });

  const audit = new AuditLog(database, clock);
  const mailer = new Mailer(database, config.mailFrom, logger);
  const directory = new UserRepository(database);
  const codec = buildCodec(config);
  const sessions = buildSessions(database, config, clock);
  const tokens = new AccessTokens(codec, clock, config);

  const coupons = new CouponBook(database, clock);
  const flags = new FeatureFlags(database, clock, config.flagReloadMs);
  const scheduler = new Scheduler(clock, logger);
  for (const job of nightlyJobs(database, mailer, logger)) {
    scheduler.add(job);
  }

  return {
    config,
    clock,
    logger,
    database,
    auth: new Auth(directory, tokens, sessions, audit),
    users: new UserService(directory, mailer, audit),
    invoices: new Invoices(database, coupons, clock),
    coupons,
    preferences: new Preferences(database),
    flags,
    scheduler,
  };
}

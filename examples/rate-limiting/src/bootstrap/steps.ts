import type { Pool } from "pg";

import type { Settings } from "../config/load";
import type { Clock } from "../lib/clock";
import type { Logger } from "../lib/logger";
import { installChain } from "../middleware";

export interface StepContext {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly setup: RouterSetup;
  readonly database: Pool;
  readonly clock: Clock;
}

export interface Step {
  readonly name: string;
  run(context: StepContext): Promise<void> | void;
}

/** What happens before the first connection is accepted, in this order. */
export const steps: readonly Step[] = [
  {
    name: "check database",
    run: async ({ database }) => {
      await database.query("select 1");
    },
  },
  {
    name: "log settings",
    run: ({ settings, logger }) => {
      const { databaseUrl: _secret, partnerKey: _key, ...visible } = settings;
      logger.info("effective settings", visible);
    },
  },
  {
    name: "install chain",
    run: ({ settings, setup, logger, clock }) => {
      installChain(setup, { logger, clock, throttle: settings.throttle });
    },
  },
];

import type { Pool } from "pg";

import type { Logger } from "../lib/logger";
import type { Mailer, Transport } from "../mail/mailer";
import type { Job } from "./scheduler";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Until the relay is reachable from every environment, mail is printed. */
function printingTransport(logger: Logger): Transport {
  return async (message) => {
    logger.info("mail", { to: message.to, subject: message.subject });
  };
}

export function nightlyJobs(database: Pool, mailer: Mailer, logger: Logger): readonly Job[] {
  return [
    {
      name: "flush-outbox",
      everyMs: MINUTE,
      run: async () => {
        const sent = await mailer.flush(printingTransport(logger));
        if (sent > 0) logger.info("outbox flushed", { sent });
      },
    },
    {
      name: "vacuum-coupon-uses",
      everyMs: DAY,
      run: async () => {
        const removed = await database.query(
          "delete from coupon_uses where used_at < now() - interval '400 days'",
        );
        logger.info("coupon uses removed", { rows: removed.rowCount });
      },
    },
    {
      name: "refill-partner-report",
      everyMs: DAY,
      run: async () => {
        await database.query("refresh materialized view concurrently partner_report");
      },
    },
  ];
}

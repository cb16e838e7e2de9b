import type { Pool } from "pg";

import type { Outbox } from "../contracts";
import type { Logger } from "../lib/logger";
import { renderTemplate } from "./templates";

interface OutboxRow {
  readonly id: number;
  readonly recipient: string;
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  readonly tries: number;
}

/** Hands one message to the mail relay. Throws when the relay does not take it. */
export type Transport = (message: {
  from: string;
  to: string;
  subject: string;
  text: string;
}) => Promise<void>;

const MAX_TRIES = 3;
const BATCH = 50;

export class Mailer implements Outbox {
  constructor(
    private readonly database: Pool,
    private readonly from: string,
    private readonly logger: Logger,
  ) {}

  async enqueue(to: string, template: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.database.query("insert into outbox (recipient, template, values) values ($1, $2, $3)", [
      to,
      template,
      JSON.stringify(values),
    ]);
  }

  /** Sends what is waiting; returns how many messages went out. */
  async flush(transport: Transport): Promise<number> {
    const waiting = await this.database.query<OutboxRow>(
      "select * from outbox where sent_at is null and tries < $1 order by id fetch next $2 rows only",
      [MAX_TRIES, BATCH],
    );
    let sent = 0;
    for (const row of waiting.rows) {
      const { subject, text } = renderTemplate(row.template, row.values);
      try {
        await transport({ from: this.from, to: row.recipient, subject, text });
        await this.database.query("update outbox set sent_at = now() where id = $1", [row.id]);
        sent += 1;
      } catch (error) {
        this.logger.warn("mail not sent", { id: row.id, tries: row.tries + 1, error: String(error) });
        await this.database.query("update outbox set tries = tries + 1 where id = $1", [row.id]);
      }
    }
    return sent;
  }
}

import type { Pool } from "pg";

import type { AuditSink } from "../contracts";
import type { Clock } from "../lib/clock";

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly event: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Keys that must never reach the table, whatever a caller passes in. */
const SECRET_KEYS = new Set(["password", "secret", "cookie", "cardNumber"]);

export function withoutSecrets(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, SECRET_KEYS.has(key) ? "[removed]" : value]),
  );
}

/**
 * Append-only trail of who did what. Rows are never updated; retention is the
 * database's business (monthly partitions, dropped after two years).
 */
export class AuditLog implements AuditSink {
  constructor(
    private readonly database: Pool,
    private readonly clock: Clock,
  ) {}

  async record(
    event: string,
    subject: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.database.query(
      "insert into audit_log (at, event, subject, details) values ($1, $2, $3, $4)",
      [new Date(this.clock.now()), event, subject, JSON.stringify(withoutSecrets(details))],
    );
  }

  async trail(subject: string, after: Date): Promise<readonly AuditEntry[]> {
    const found = await this.database.query<AuditEntry>(
      "select id, at, event, subject, details from audit_log where subject = $1 and at > $2 order by id",
      [subject, after],
    );
    return found.rows;
  }
}

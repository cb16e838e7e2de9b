import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

export interface Session {
  readonly id: string;
  readonly memberId: string;
  readonly minutes: number;
  readonly lastSeenAt: Date;
}

const COLUMNS = `id, member_id as "memberId", minutes, last_seen_at as "lastSeenAt"`;

/**
 * Sessions of proven identities. A session lasts for a number of minutes after
 * it was last seen; the row keeps the number, because a session at a terminal
 * is much shorter than one on a remembered device. One identity may have many
 * sessions, one for each device on which its credential was shown.
 */
export class SessionStore {
  constructor(private readonly database: Pool) {}

  async open(memberId: string, minutes: number): Promise<Session> {
    const opened = await this.database.query<Session>(
      `insert into identity_sessions (id, member_id, minutes, last_seen_at)
       values ($1, $2, $3, now()) returning ${COLUMNS}`,
      [randomUUID(), memberId, minutes],
    );
    return opened.rows[0]!;
  }

  /** Null when there is no such session or when it has run out. */
  async find(id: string): Promise<Session | null> {
    const found = await this.database.query<Session>(
      `select ${COLUMNS} from identity_sessions
        where id = $1 and last_seen_at + make_interval(mins => minutes) > now()`,
      [id],
    );
    return found.rows[0] ?? null;
  }

  /** At most one write a minute for each session, however busy the member is. */
  async touch(id: string): Promise<void> {
    await this.database.query(
      `update identity_sessions set last_seen_at = now()
        where id = $1 and last_seen_at < now() - interval '1 minute'`,
      [id],
    );
  }

  async close(id: string): Promise<void> {
    await this.database.query("delete from identity_sessions where id = $1", [id]);
  }

  async closeAll(memberId: string): Promise<number> {
    const closed = await this.database.query("delete from identity_sessions where member_id = $1", [
      memberId,
    ]);
    return closed.rowCount ?? 0;
  }
}

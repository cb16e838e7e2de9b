import type { Pool } from "pg";

export interface GrantRow {
  readonly digest: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly device: string;
  /** Unix seconds after which the row is dead weight. */
  readonly deadline: number;
  readonly consumedAt: number | null;
}

/** Rows of the `session_grants` table. No decisions are taken here. */
export class GrantRepository {
  constructor(private readonly database: Pool) {}

  async insert(row: GrantRow): Promise<void> {
    await this.database.query(
      `insert into session_grants (digest, session_id, user_id, device, deadline, consumed_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [row.digest, row.sessionId, row.userId, row.device, row.deadline, row.consumedAt],
    );
  }

  async find(digest: string): Promise<GrantRow | null> {
    const found = await this.database.query<GrantRow>(
      `select digest, session_id as "sessionId", user_id as "userId", device, deadline,
              consumed_at as "consumedAt"
         from session_grants where digest = $1`,
      [digest],
    );
    return found.rows[0] ?? null;
  }

  /** Marks the old row as consumed and adds its successor in one transaction. */
  async replace(oldDigest: string, next: GrantRow, at: number): Promise<void> {
    const client = await this.database.connect();
    try {
      await client.query("begin");
      await client.query("update session_grants set consumed_at = $2 where digest = $1", [
        oldDigest,
        at,
      ]);
      await client.query(
        `insert into session_grants (digest, session_id, user_id, device, deadline, consumed_at)
         values ($1, $2, $3, $4, $5, null)`,
        [next.digest, next.sessionId, next.userId, next.device, next.deadline],
      );
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  }

  async closeChain(sessionId: string): Promise<void> {
    await this.database.query("delete from session_grants where session_id = $1", [sessionId]);
  }

  async removeStale(before: number): Promise<number> {
    const removed = await this.database.query("delete from session_grants where deadline < $1", [
      before,
    ]);
    return removed.rowCount ?? 0;
  }
}

import type { Pool } from "pg";

import type { Copy } from "../catalogue/work-index";
import { DeskError } from "../shared/desk-error";

export interface Hold {
  readonly id: string;
  readonly workId: string;
  readonly memberId: string;
  readonly branch: string;
  readonly placedAt: Date;
  readonly offeredBarcode: string | null;
}

/** Who wants a work next. First come, first served, per branch of collection. */
export class HoldQueue {
  constructor(private readonly database: Pool) {}

  async place(workId: string, memberId: string, branch: string): Promise<Hold> {
    const placed = await this.database.query<Hold>(
      `insert into holds (work_id, member_id, branch) values ($1, $2, $3)
       on conflict (work_id, member_id) do nothing
       returning id, work_id as "workId", member_id as "memberId", branch, placed_at as "placedAt",
                 null as "offeredBarcode"`,
      [workId, memberId, branch],
    );
    const hold = placed.rows[0];
    if (hold === undefined) throw new DeskError(409, "hold_exists", "You are in the queue already.");
    return hold;
  }

  async isWanted(workId: string): Promise<boolean> {
    const found = await this.database.query(
      "select 1 from holds where work_id = $1 and offered_barcode is null fetch first row only",
      [workId],
    );
    return found.rows.length > 0;
  }

  /** Gives a returned copy to whoever has waited longest; null when nobody waits. */
  async offer(copy: Copy): Promise<string | null> {
    const offered = await this.database.query<{ member_id: string }>(
      `update holds set offered_barcode = $2, offered_at = now()
        where id = (select id from holds where work_id = $1 and offered_barcode is null
                     order by (branch = $3) desc, placed_at fetch first row only)
        returning member_id`,
      [copy.workId, copy.barcode, copy.branch],
    );
    return offered.rows[0]?.member_id ?? null;
  }

  async withdraw(id: string, memberId: string): Promise<void> {
    const removed = await this.database.query("delete from holds where id = $1 and member_id = $2", [
      id,
      memberId,
    ]);
    if (removed.rowCount === 0) throw DeskError.missing("This hold");
  }
}

import type { Pool } from "pg";

import { DeskError } from "../shared/desk-error";

export interface Work {
  readonly id: string;
  readonly title: string;
  readonly authorId: string;
  readonly year: number;
  readonly subjects: readonly string[];
  readonly language: string;
}

export interface Copy {
  readonly barcode: string;
  readonly workId: string;
  readonly branch: string;
  readonly shelf: string;
  readonly priceCents: number;
  readonly state: "shelf" | "loan" | "hold-shelf" | "repair" | "lost";
}

/** Leading articles do not count when titles are sorted. */
export function sortTitle(title: string): string {
  return title.replace(/^(the|an?|der|die|das|l[ea]s?|el)\s+/i, "").toLocaleLowerCase();
}

export class WorkIndex {
  constructor(private readonly database: Pool) {}

  async find(words: string): Promise<readonly Work[]> {
    const found = await this.database.query<Work>(
      "select * from work_view where words @@ websearch_to_tsquery($1) fetch first 100 rows only",
      [words],
    );
    return [...found.rows].sort((a, b) => sortTitle(a.title).localeCompare(sortTitle(b.title)));
  }

  async copiesOf(workId: string): Promise<readonly Copy[]> {
    const found = await this.database.query<Copy>(
      `select * from copy_view where "workId" = $1 order by branch, shelf`,
      [workId],
    );
    return found.rows;
  }

  async copy(barcode: string): Promise<Copy> {
    const found = await this.database.query<Copy>("select * from copy_view where barcode = $1", [
      barcode,
    ]);
    const copy = found.rows[0];
    if (copy === undefined) throw DeskError.missing(`Copy ${barcode}`);
    return copy;
  }

  async setState(barcode: string, state: Copy["state"]): Promise<void> {
    await this.database.query("update copies set state = $2 where barcode = $1", [barcode, state]);
  }
}

import type { Pool } from "pg";

/** The agreed form of an author's name, and the forms that lead to it. */
export interface AuthorityRecord {
  readonly id: string;
  readonly preferred: string;
  readonly variants: readonly string[];
  readonly born: number | null;
  readonly died: number | null;
}

/** "Ursula K. Le Guin" becomes "Le Guin, Ursula K."; particles stay with the family name. */
export function invertName(name: string): string {
  const words = name.trim().split(/\s+/);
  if (words.length < 2) return name.trim();
  let start = words.length - 1;
  while (start > 1 && PARTICLES.has(words[start - 1]!.toLowerCase())) start -= 1;
  return `${words.slice(start).join(" ")}, ${words.slice(0, start).join(" ")}`;
}

const PARTICLES = new Set(["de", "del", "der", "di", "la", "le", "van", "von", "zu"]);

/** Heading as printed on the shelf: name and, where two share it, the years. */
export function heading(record: AuthorityRecord, ambiguous: boolean): string {
  if (!ambiguous || record.born === null) return record.preferred;
  return `${record.preferred} (${record.born}–${record.died ?? ""})`;
}

export class AuthorityFile {
  constructor(private readonly database: Pool) {}

  /** Authors whose preferred name or one of whose variants starts like this. */
  async startingWith(text: string): Promise<readonly AuthorityRecord[]> {
    const found = await this.database.query<AuthorityRecord>(
      `select id, preferred, variants, born, died from authority_records
        where exists (select 1 from unnest(variants || preferred) name where name ilike $1 || '%')
        order by preferred fetch first 50 rows only`,
      [text],
    );
    return found.rows;
  }

  /** Two records turned out to be one author: the second one becomes a variant of the first. */
  async merge(keep: AuthorityRecord, drop: AuthorityRecord): Promise<void> {
    await this.database.query("update works set author_id = $1 where author_id = $2", [keep.id, drop.id]);
    await this.database.query(
      "update authority_records set variants = variants || $2::text[] where id = $1",
      [keep.id, [drop.preferred, ...drop.variants]],
    );
    await this.database.query("delete from authority_records where id = $1", [drop.id]);
  }
}

import type { Pool } from "pg";

import { Problem } from "../http/problem";

/** Reviews below this number are too few to say anything. */
const ENOUGH = 5;

/** Pulls a small sample towards the mean of the whole shop, so that one friend is not five stars. */
export function shrink(mean: number, count: number, shopMean: number): number {
  return (mean * count + shopMean * ENOUGH) / (count + ENOUGH);
}

export class Reviews {
  constructor(private readonly database: Pool) {}

  async write(sku: string, stars: number, text: string): Promise<void> {
    if (!Number.isInteger(stars) || stars < 1 || stars > 5) {
      throw Problem.invalid("Stars are whole numbers from one to five.");
    }
    await this.database.query(
      "insert into reviews (sku, stars, text, visible) values ($1, $2, $3, false)",
      [sku, stars, text.trim().slice(0, 5_000)],
    );
  }

  /** Null while there are not enough reviews. */
  async averageStars(sku: string): Promise<number | null> {
    const found = await this.database.query<{ mean: number; count: number; shop: number }>(
      `select avg(stars) filter (where sku = $1)::float as mean,
              count(*) filter (where sku = $1)::int as count,
              avg(stars)::float as shop
         from reviews where visible`,
      [sku],
    );
    const row = found.rows[0];
    if (row === undefined || row.count < ENOUGH) return null;
    return Math.round(shrink(row.mean, row.count, row.shop) * 10) / 10;
  }
}

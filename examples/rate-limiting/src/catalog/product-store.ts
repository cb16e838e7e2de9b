import type { Pool } from "pg";

import { nextCursor, type Page } from "./pagination";
import type { Product } from "./product";

interface ProductRow {
  readonly sku: string;
  readonly title: string;
  readonly description: string;
  readonly price_minor: number;
  readonly price_currency: string;
  readonly weight_grams: number;
  readonly tags: readonly string[];
  readonly discontinued_at: Date | null;
}

function toProduct(row: ProductRow): Product {
  return {
    sku: row.sku,
    title: row.title,
    description: row.description,
    price: { minor: row.price_minor, currency: row.price_currency },
    weightGrams: row.weight_grams,
    tags: row.tags,
    discontinuedAt: row.discontinued_at,
  };
}

export class ProductStore {
  constructor(private readonly database: Pool) {}

  async bySku(sku: string): Promise<Product | null> {
    const found = await this.database.query<ProductRow>("select * from products where sku = $1", [sku]);
    const row = found.rows[0];
    return row === undefined ? null : toProduct(row);
  }

  async search(text: string, page: Page): Promise<{ items: readonly Product[]; next: string | null }> {
    // One row more than asked for tells whether there is another page.
    const found = await this.database.query<ProductRow>(
      `select * from products
        where ($1 = '' or words @@ plainto_tsquery($1)) and sku > $2
        order by sku fetch first $3 rows only`,
      [text, page.after ?? "", page.limit + 1],
    );
    const items = found.rows.slice(0, page.limit).map(toProduct);
    return { items, next: nextCursor(found.rows.length, page, items.at(-1)?.sku) };
  }
}

import type { Pool } from "pg";

import type { Money } from "../currency/money";

export interface OrderLine {
  readonly sku: string;
  readonly quantity: number;
  readonly price: Money;
  readonly weightGrams: number;
}

export interface Order {
  readonly id: string;
  readonly customerId: string;
  readonly lines: readonly OrderLine[];
  readonly goods: Money;
  readonly shipping: Money;
  readonly total: Money;
  readonly placedAt: Date;
  readonly cancelledAt: Date | null;
}

/** Orders as JSON documents next to the few columns that reports need. */
export class OrderStore {
  constructor(private readonly database: Pool) {}

  async insert(order: Omit<Order, "id">): Promise<Order> {
    const saved = await this.database.query<{ id: string }>(
      `insert into orders (customer_id, total_minor, currency, placed_at, document)
       values ($1, $2, $3, $4, $5) returning id`,
      [order.customerId, order.total.minor, order.total.currency, order.placedAt, JSON.stringify(order)],
    );
    return { ...order, id: saved.rows[0]!.id };
  }

  async byId(id: string): Promise<Order | null> {
    const found = await this.database.query<{ id: string; document: Omit<Order, "id"> }>(
      "select id, document from orders where id = $1",
      [id],
    );
    const row = found.rows[0];
    if (row === undefined) return null;
    const placedAt = new Date(row.document.placedAt);
    return { ...row.document, placedAt, id: row.id };
  }

  async cancel(id: string, at: Date): Promise<Order> {
    await this.database.query(
      "update orders set document = jsonb_set(document, '{cancelledAt}', to_jsonb($2::text)) where id = $1",
      [id, at.toISOString()],
    );
    return (await this.byId(id))!;
  }
}

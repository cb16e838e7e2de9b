import type { Pool } from "pg";

import { HttpError } from "../http/errors";
import type { Clock } from "../lib/clock";
import type { CouponBook } from "./coupons";

export interface InvoiceLine {
  readonly description: string;
  readonly quantity: number;
  /** Price of one unit in cents, before tax. */
  readonly unitCents: number;
}

export interface Invoice {
  readonly id: string;
  readonly userId: string;
  readonly lines: readonly InvoiceLine[];
  readonly netCents: number;
  readonly taxCents: number;
  readonly grossCents: number;
  readonly issuedAt: Date;
}

const TAX_PERCENT: Readonly<Record<string, number>> = { DE: 19, FR: 20, NL: 21, SE: 25 };

/** Rounds half away from zero, the way the tax office does it. */
export function roundCents(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

export class Invoices {
  constructor(
    private readonly database: Pool,
    private readonly coupons: CouponBook,
    private readonly clock: Clock,
  ) {}

  async draw(
    userId: string,
    country: string,
    lines: readonly InvoiceLine[],
    couponCode?: string,
  ): Promise<Invoice> {
    if (lines.length === 0) {
      throw new HttpError(422, "empty_invoice", "An invoice needs at least one line.");
    }
    const sum = lines.reduce((total, line) => total + line.quantity * line.unitCents, 0);
    const reduction = couponCode === undefined ? 0 : await this.coupons.redeem(couponCode, userId, sum);
    const netCents = sum - reduction;
    const taxCents = roundCents((netCents * (TAX_PERCENT[country] ?? 0)) / 100);
    const saved = await this.database.query<{ id: string }>(
      `insert into invoices (user_id, country, net_cents, tax_cents, issued_at)
       values ($1, $2, $3, $4, $5) returning id`,
      [userId, country, netCents, taxCents, new Date(this.clock.now())],
    );
    return {
      id: saved.rows[0]!.id,
      userId,
      lines,
      netCents,
      taxCents,
      grossCents: netCents + taxCents,
      issuedAt: new Date(this.clock.now()),
    };
  }

  async listFor(userId: string, page: number): Promise<readonly Invoice[]> {
    const found = await this.database.query<Invoice>(
      "select * from invoice_view where user_id = $1 order by issued_at desc offset $2 fetch next 20 rows only",
      [userId, page * 20],
    );
    return found.rows;
  }
}

import type { Pool } from "pg";

import { HttpError } from "../http/errors";
import type { Clock } from "../lib/clock";

export interface Coupon {
  readonly code: string;
  readonly percentOff: number;
  readonly usesLeft: number;
  /** Last day on which the coupon is accepted; coupons without one never expire. */
  readonly lastDay: Date | null;
}

/** Codes are read aloud on the phone, so look-alike characters are folded. */
export function foldCode(code: string): string {
  return code.trim().toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
}

export function reductionFor(coupon: Coupon, cents: number): number {
  return Math.floor((cents * coupon.percentOff) / 100);
}

export class CouponBook {
  constructor(
    private readonly database: Pool,
    private readonly clock: Clock,
  ) {}

  async find(code: string): Promise<Coupon | null> {
    const found = await this.database.query<Coupon>(
      `select code, percent_off as "percentOff", uses_left as "usesLeft", last_day as "lastDay"
         from coupons where code = $1`,
      [foldCode(code)],
    );
    return found.rows[0] ?? null;
  }

  /** Takes one use of the coupon and returns the reduction in cents. */
  async redeem(code: string, userId: string, cents: number): Promise<number> {
    const coupon = await this.find(code);
    if (coupon === null || !this.isAccepted(coupon)) {
      throw new HttpError(422, "coupon_rejected", "This coupon cannot be used.");
    }
    const taken = await this.database.query(
      "update coupons set uses_left = uses_left - 1 where code = $1 and uses_left > 0",
      [coupon.code],
    );
    if (taken.rowCount !== 1) {
      throw new HttpError(409, "coupon_used_up", "This coupon has been used up.");
    }
    await this.database.query("insert into coupon_uses (code, user_id) values ($1, $2)", [
      coupon.code,
      userId,
    ]);
    return reductionFor(coupon, cents);
  }

  private isAccepted(coupon: Coupon): boolean {
    if (coupon.usesLeft <= 0) return false;
    return coupon.lastDay === null || coupon.lastDay.getTime() >= this.clock.now();
  }
}

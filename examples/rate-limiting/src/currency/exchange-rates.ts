import type { Pool } from "pg";

import type { Clock } from "../lib/clock";
import type { Money } from "./money";

export interface ExchangeRate {
  readonly base: "EUR";
  readonly quote: string;
  /** Units of the quote currency for one euro. */
  readonly rate: number;
  readonly quotedAt: Date;
}

/**
 * Exchange rates of the central bank. All rates are against the euro; a rate
 * between two other currencies is the ratio of theirs (a cross rate).
 */
export class ExchangeRates {
  constructor(
    private readonly database: Pool,
    private readonly clock: Clock,
    private readonly maxAgeMs: number,
  ) {}

  /** Null when there is no rate for one of the two currencies, or only an old one. */
  async convert(money: Money, currency: string): Promise<Money | null> {
    if (money.currency === currency) return money;
    const rate = await this.crossRate(money.currency, currency);
    return rate === null ? null : { minor: Math.round(money.minor * rate), currency };
  }

  async crossRate(from: string, to: string): Promise<number | null> {
    const fromRate = await this.rateOf(from);
    const toRate = await this.rateOf(to);
    return fromRate === null || toRate === null ? null : toRate / fromRate;
  }

  async save(rates: readonly ExchangeRate[]): Promise<void> {
    for (const { quote, rate, quotedAt } of rates) {
      if (!(rate > 0)) throw new Error(`rate of ${quote} is not positive: ${rate}`);
      await this.database.query(
        `insert into exchange_rates (quote, rate, quoted_at) values ($1, $2, $3)
         on conflict (quote) do update set rate = excluded.rate, quoted_at = excluded.quoted_at`,
        [quote, rate, quotedAt],
      );
    }
  }

  private async rateOf(currency: string): Promise<number | null> {
    if (currency === "EUR") return 1;
    const found = await this.database.query<{ rate: number; quotedAt: Date }>(
      `select rate, quoted_at as "quotedAt" from exchange_rates where quote = $1`,
      [currency],
    );
    const row = found.rows[0];
    if (row === undefined) return null;
    return this.clock.now() - row.quotedAt.getTime() > this.maxAgeMs ? null : row.rate;
  }
}

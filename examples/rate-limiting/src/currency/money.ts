/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly minor: number;
  readonly currency: string;
}

/** Digits after the point; everything that is not listed has two. */
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, ISK: 0, BHD: 3, KWD: 3 };

export function digitsOf(currency: string): number {
  return DIGITS[currency] ?? 2;
}

export function plus(left: Money, right: Money): Money {
  if (left.currency !== right.currency) {
    throw new Error(`cannot sum ${left.currency} and ${right.currency}`);
  }
  return { minor: left.minor + right.minor, currency: left.currency };
}

export function times(money: Money, factor: number): Money {
  return { minor: Math.round(money.minor * factor), currency: money.currency };
}

export function sum(amounts: readonly Money[], currency: string): Money {
  return amounts.reduce(plus, { minor: 0, currency });
}

export function formatMoney(money: Money, locale: string): string {
  const digits = digitsOf(money.currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: money.currency,
    minimumFractionDigits: digits,
  }).format(money.minor / 10 ** digits);
}

import type { Money } from "../currency/money";
import { Problem } from "../http/problem";

interface ShippingRate {
  readonly upToGrams: number;
  readonly minor: number;
}

/** Flat rates of the carrier by zone, valid since March. Prices in euro cents. */
const RATES: Readonly<Record<string, readonly ShippingRate[]>> = {
  home: [
    { upToGrams: 2_000, minor: 490 },
    { upToGrams: 10_000, minor: 690 },
    { upToGrams: 31_500, minor: 1_290 },
  ],
  union: [
    { upToGrams: 2_000, minor: 990 },
    { upToGrams: 10_000, minor: 1_490 },
    { upToGrams: 31_500, minor: 2_490 },
  ],
};

const FREE_FROM_MINOR = 7_500;
const UNION = new Set(["AT", "BE", "CZ", "DK", "ES", "FR", "IT", "LU", "NL", "PL", "SE"]);

function zoneOf(country: string): string | null {
  if (country === "DE") return "home";
  return UNION.has(country) ? "union" : null;
}

/** Orders at home are free of shipping from a certain value on. */
export function shippingPrice(country: string, grams: number, goods: Money): Money {
  const zone = zoneOf(country);
  if (zone === null) throw Problem.invalid(`We do not ship to ${country}.`);
  if (zone === "home" && goods.minor >= FREE_FROM_MINOR) return { minor: 0, currency: goods.currency };
  const rate = RATES[zone]!.find((candidate) => grams <= candidate.upToGrams);
  if (rate === undefined) throw Problem.invalid("This order is too heavy for a parcel.");
  return { minor: rate.minor, currency: goods.currency };
}

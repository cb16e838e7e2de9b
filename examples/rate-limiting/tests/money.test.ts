import { describe, expect, it } from "vitest";

import { digitsOf, formatMoney, plus, times } from "../src/currency/money";

describe("money", () => {
  it("refuses to sum two currencies", () => {
    expect(() => plus({ minor: 1, currency: "EUR" }, { minor: 1, currency: "USD" })).toThrow();
  });

  it("knows currencies without minor units", () => {
    expect(digitsOf("JPY")).toBe(0);
    expect(formatMoney({ minor: 1200, currency: "JPY" }, "en")).toBe("¥1,200");
  });

  it("rounds products to whole minor units", () => {
    expect(times({ minor: 999, currency: "EUR" }, 0.5)).toEqual({ minor: 500, currency: "EUR" });
  });
});

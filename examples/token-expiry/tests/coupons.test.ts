import { describe, expect, it } from "vitest";

import { foldCode, reductionFor } from "../src/billing/coupons";

describe("coupon codes", () => {
  it("folds characters that sound or look alike", () => {
    expect(foldCode(" spring-lo ")).toBe("SPR1NG-10");
  });

  it("rounds reductions down to whole cents", () => {
    const coupon = { code: "X", percentOff: 15, usesLeft: 1, lastDay: null };
    expect(reductionFor(coupon, 999)).toBe(149);
  });
});

import { describe, expect, it } from "vitest";

import { isOpenOn, openDaysAfter } from "../src/circulation/fees";

describe("overdue days", () => {
  it("does not count days on which the branch is closed", () => {
    // Friday to Tuesday: Saturday and Tuesday are open.
    expect(openDaysAfter("2024-05-03", "2024-05-07")).toBe(2);
    expect(isOpenOn("2024-05-05")).toBe(false);
  });

  it("is zero before the due day", () => {
    expect(openDaysAfter("2024-05-03", "2024-05-01")).toBe(0);
  });
});

import { describe, expect, it } from "vitest";

import { decodeCursor, encodeCursor, parsePage } from "../src/catalog/pagination";

describe("paging", () => {
  it("cuts the limit down to the maximum", () => {
    expect(parsePage({ limit: "500" }).limit).toBe(100);
  });

  it("rejects a limit that is no number", () => {
    expect(() => parsePage({ limit: "many" })).toThrow(/limit/);
  });

  it("reads its own cursors only", () => {
    expect(decodeCursor(encodeCursor("A-1"))).toBe("A-1");
    expect(() => decodeCursor("***")).toThrow();
  });
});

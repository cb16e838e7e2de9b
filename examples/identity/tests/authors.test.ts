import { describe, expect, it } from "vitest";

import { heading, invertName } from "../src/catalogue/authors";

describe("headings of authors", () => {
  it("keeps particles with the family name", () => {
    expect(invertName("Ludwig van Beethoven")).toBe("van Beethoven, Ludwig");
  });

  it("puts years behind names that two authors share", () => {
    const record = { id: "1", preferred: "Smith, John", variants: [], born: 1811, died: null };
    expect(heading(record, true)).toBe("Smith, John (1811–)");
  });
});

import { describe, expect, it } from "vitest";

import { AccessTokens } from "../src/auth/tokens";
import type { Claims, JwtCodec } from "../src/contracts";
import { ManualClock } from "../src/lib/clock";

const plainCodec: JwtCodec = {
  encodeJwt: (claims: Claims) => JSON.stringify(claims),
  decodeJwt: (compact: string) => JSON.parse(compact) as Claims,
};

const settings = { issuer: "https://accounts.test", accessTtlSeconds: 900, clockSkewSeconds: 30 };

describe("access tokens", () => {
  const session = { sessionId: "s1", userId: "u1", grant: "g", deadline: 10_000_000 };

  it("accepts a token until its expiry and the skew have passed", () => {
    const clock = new ManualClock(1_000_000_000);
    const tokens = new AccessTokens(plainCodec, clock, settings);
    const token = tokens.issue(session);
    expect(tokens.check(token).state).toBe("valid");
    clock.advance(929_000);
    expect(tokens.check(token).state).toBe("valid");
    clock.advance(2_000);
    expect(tokens.check(token).state).toBe("expired");
  });

  it("never lets a token outlive its session", () => {
    const clock = new ManualClock(9_999_990_000);
    const tokens = new AccessTokens(plainCodec, clock, settings);
    expect(tokens.remaining(tokens.issue(session))).toBe(10);
  });
});

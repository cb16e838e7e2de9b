import type { Claims, JwtCodec, RefreshedSession } from "../contracts";
import type { Clock } from "../lib/clock";

export interface TokenSettings {
  readonly issuer: string;
  readonly accessTtlSeconds: number;
  readonly clockSkewSeconds: number;
}

export type TokenCheck =
  | { readonly state: "valid"; readonly claims: Claims }
  | { readonly state: "expired"; readonly claims: Claims }
  | { readonly state: "malformed" };

/**
 * Access tokens of the authentication layer. A token is a jwt; how a jwt is
 * signed and decoded is behind `JwtCodec`, this class only decides on issue and
 * expiry.
 */
export class AccessTokens {
  constructor(
    private readonly jwt: JwtCodec,
    private readonly clock: Clock,
    private readonly settings: TokenSettings,
  ) {}

  get lifetimeSeconds(): number {
    return this.settings.accessTtlSeconds;
  }

  /**
   * Issues a token for a session that was just opened or refreshed. The token
   * never outlives the session: after a refresh close to the session's own end
   * the expiry is the earlier of the two.
   */
  issue(session: RefreshedSession): string {
    const now = this.nowSeconds();
    const claims: Claims = {
      sub: session.userId,
      sid: session.sessionId,
      iss: this.settings.issuer,
      iat: now,
      exp: Math.min(now + this.settings.accessTtlSeconds, session.deadline),
    };
    return this.jwt.encodeJwt(claims);
  }

  check(token: string): TokenCheck {
    const claims = this.jwt.decodeJwt(token);
    if (claims === null || claims.iss !== this.settings.issuer) {
      return { state: "malformed" };
    }
    return this.isExpired(claims) ? { state: "expired", claims } : { state: "valid", claims };
  }

  /** Seconds until the expiry of a token, zero when it has expired. */
  remaining(token: string): number {
    const checked = this.check(token);
    if (checked.state !== "valid") return 0;
    return Math.max(0, checked.claims.exp - this.nowSeconds());
  }

  /**
   * Whether a client should refresh before it makes the next call: less than a
   * fifth of the token's life is left.
   */
  shouldRefresh(token: string): boolean {
    return this.remaining(token) < this.settings.accessTtlSeconds / 5;
  }

  private isExpired(claims: Claims): boolean {
    // The skew is granted to the client, whose clock we do not control.
    return claims.exp + this.settings.clockSkewSeconds < this.nowSeconds();
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

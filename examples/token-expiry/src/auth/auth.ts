import { scryptSync, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";

import type { AuditSink, SessionRefresher, UserDirectory } from "../contracts";
import { HttpError } from "../http/errors";
import type { User } from "../users/user";
import type { AccessTokens } from "./tokens";

/** What a client holds after signing in. */
export interface AuthResult {
  readonly accessToken: string;
  /** Opaque to the client; exchanged for a new access token when the old one has expired. */
  readonly refreshGrant: string;
  readonly expiresIn: number;
}

export interface AuthenticatedRequest extends Request {
  auth?: { readonly userId: string; readonly sessionId: string };
}

/**
 * Authentication: password in, access token out, and the check of that token on
 * every request.
 *
 * An access token is short-lived. Its expiry is extended by a refresh: the
 * client hands in its refresh grant, the session is refreshed, and a new jwt is
 * issued for the refreshed session.
 */
export class Auth {
  constructor(
    private readonly users: UserDirectory,
    private readonly tokens: AccessTokens,
    private readonly sessions: SessionRefresher,
    private readonly audit: AuditSink,
  ) {}

  async signIn(email: string, password: string, device: string): Promise<AuthResult> {
    const user = await this.users.byEmail(email);
    if (user === null || !this.passwordMatches(user, password)) {
      await this.audit.record("auth.rejected", email, { device });
      throw new HttpError(401, "bad_credentials", "Email or password is wrong.");
    }
    const session = await this.sessions.openSession(user.id, device);
    await this.audit.record("auth.signed_in", user.id, { device });
    return {
      accessToken: this.tokens.issue(session),
      refreshGrant: session.grant,
      expiresIn: this.tokens.lifetimeSeconds,
    };
  }

  /**
   * Trades a refresh grant for a new access token. Known trouble: after a
   * refresh some clients get `token_expired` at once, although the jwt was
   * issued a moment ago; the session's deadline and the token expiry disagree.
   */
  async refresh(refreshGrant: string): Promise<AuthResult> {
    const session = await this.sessions.refreshSession(refreshGrant);
    if (session === null) {
      throw new HttpError(401, "refresh_rejected", "Sign in again.");
    }
    return {
      accessToken: this.tokens.issue(session),
      refreshGrant: session.grant,
      expiresIn: this.tokens.lifetimeSeconds,
    };
  }

  async signOut(sessionId: string): Promise<void> {
    await this.sessions.closeSession(sessionId);
  }

  /** Rejects requests without a valid, unexpired access token. */
  requireAuthentication(): RequestHandler {
    return (request: Request, _response: Response, next: NextFunction): void => {
      const header = request.header("authorization") ?? "";
      const [scheme, token] = header.split(" ");
      if (scheme !== "Bearer" || token === undefined) {
        next(new HttpError(401, "authentication_required", "Authentication is required."));
        return;
      }
      const checked = this.tokens.check(token);
      switch (checked.state) {
        case "valid":
          (request as AuthenticatedRequest).auth = {
            userId: checked.claims.sub,
            sessionId: checked.claims.sid,
          };
          next();
          return;
        case "expired":
          // The client is expected to refresh on this code and try again.
          next(new HttpError(401, "token_expired", "The access token has expired."));
          return;
        case "malformed":
          next(new HttpError(401, "token_malformed", "The access token is not a jwt of ours."));
      }
    };
  }

  private passwordMatches(user: User, password: string): boolean {
    const actual = scryptSync(password, user.passwordSalt, 64);
    const expected = Buffer.from(user.passwordHash, "hex");
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}

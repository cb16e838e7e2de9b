import { createHmac, timingSafeEqual } from "node:crypto";

import type { Identity } from "./identity-service";

const VERSION = 2;

/**
 * Seals an identity into a token that members can carry but not change. Tokens
 * say who, never for how long: that is the session's business, so that a
 * session can be closed from here. A token replaces the credential by which the
 * identity was proven.
 */
export class TokenManager {
  private readonly key: Buffer;

  constructor(sealKey: string) {
    this.key = Buffer.from(sealKey, "hex");
    if (this.key.length !== 32) throw new Error("the seal key must have 32 bytes");
  }

  /** A token is a readable body and a seal, with a point in between. */
  seal(identity: Identity): string {
    const body = Buffer.from(JSON.stringify({ v: VERSION, ...identity })).toString("base64url");
    return `${body}.${this.sealOf(body)}`;
  }

  /** Null for everything that we did not seal ourselves. */
  open(token: string): Identity | null {
    const [body, seal, ...rest] = token.split(".");
    if (body === undefined || seal === undefined || rest.length > 0) return null;
    if (!this.matches(seal, this.sealOf(body))) return null;
    try {
      const text = Buffer.from(body, "base64url").toString("utf8");
      return this.read(JSON.parse(text) as Record<string, unknown>);
    } catch {
      return null;
    }
  }

  private read(value: Record<string, unknown>): Identity | null {
    const { v, memberId, isStaff, sessionId } = value;
    // Version 1 had no session in it; those members prove themselves once more.
    if (v !== VERSION) return null;
    if (typeof memberId !== "string" || typeof sessionId !== "string") return null;
    return { memberId, isStaff: isStaff === true, sessionId };
  }

  private sealOf(body: string): string {
    return createHmac("sha256", this.key).update(body).digest("base64url");
  }

  private matches(left: string, right: string): boolean {
    const a = Buffer.from(left);
    const b = Buffer.from(right);
    return a.length === b.length && timingSafeEqual(a, b);
  }
}

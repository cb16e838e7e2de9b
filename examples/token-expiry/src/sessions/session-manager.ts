import { createHash, randomBytes, randomUUID } from "node:crypto";

import type { RefreshedSession, SessionRefresher } from "../contracts";
import type { Clock } from "../lib/clock";
import type { GrantRepository, GrantRow } from "./grant-repository";

export interface SessionSettings {
  /** How long a refresh grant may stay unused before its session goes stale. */
  readonly ttlSeconds: number;
  /** A grant that was just renewed may be presented again for this long (two tabs, one cookie). */
  readonly reuseWindowSeconds: number;
}

/**
 * Keeps sessions alive. A session is a chain of refresh grants: each refresh
 * consumes the grant that was presented and hands out the next one. Presenting
 * a consumed grant outside the reuse window means that somebody copied it, and
 * the whole chain is closed.
 */
export class SessionManager implements SessionRefresher {
  constructor(
    private readonly grants: GrantRepository,
    private readonly clock: Clock,
    private readonly settings: SessionSettings,
  ) {}

  async openSession(userId: string, device: string): Promise<RefreshedSession> {
    const sessionId = randomUUID();
    const grant = this.newGrant();
    const deadline = this.deadlineFromNow();
    await this.grants.insert({
      digest: this.digest(grant),
      sessionId,
      userId,
      device,
      deadline,
      consumedAt: null,
    });
    return { sessionId, userId, grant, deadline };
  }

  async refreshSession(grant: string): Promise<RefreshedSession | null> {
    const row = await this.grants.find(this.digest(grant));
    if (row === null || this.isStale(row)) return null;
    if (row.consumedAt !== null && !this.withinReuseWindow(row)) {
      // Replay. Nobody holding a grant of this chain can be trusted any more.
      await this.grants.closeChain(row.sessionId);
      return null;
    }
    return this.renew(row);
  }

  async closeSession(sessionId: string): Promise<void> {
    await this.grants.closeChain(sessionId);
  }

  /** Number of grants that went stale and were removed; called by a nightly job. */
  async sweep(): Promise<number> {
    return this.grants.removeStale(this.nowSeconds());
  }

  private async renew(row: GrantRow): Promise<RefreshedSession> {
    const grant = this.newGrant();
    const next: GrantRow = {
      ...row,
      digest: this.digest(grant),
      consumedAt: null,
      // The deadline travels with the row: a renewed session keeps the one it
      // was opened with instead of getting a new one.
      deadline: row.deadline,
    };
    await this.grants.replace(row.digest, next, this.nowSeconds());
    return {
      sessionId: row.sessionId,
      userId: row.userId,
      grant,
      deadline: next.deadline,
    };
  }

  private isStale(row: GrantRow): boolean {
    return row.deadline <= this.nowSeconds();
  }

  private withinReuseWindow(row: GrantRow): boolean {
    return (row.consumedAt ?? 0) + this.settings.reuseWindowSeconds >= this.nowSeconds();
  }

  private deadlineFromNow(): number {
    return this.nowSeconds() + this.settings.ttlSeconds;
  }

  private newGrant(): string {
    return randomBytes(32).toString("base64url");
  }

  /** Grants are stored as digests, so a leaked table renews nobody's session. */
  private digest(grant: string): string {
    return createHash("sha256").update(grant).digest("hex");
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

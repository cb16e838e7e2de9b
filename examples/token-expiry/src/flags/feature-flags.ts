import { createHash } from "node:crypto";
import type { Pool } from "pg";

import { BoundedCache } from "../lib/bounded-cache";
import type { Clock } from "../lib/clock";

export interface Flag {
  readonly name: string;
  readonly enabled: boolean;
  /** Share of users who see the feature, 0 to 100. */
  readonly percent: number;
}

/** The same user always lands in the same bucket of a flag, but not in the same one of another. */
export function bucket(flag: string, userId: string): number {
  const digest = createHash("md5").update(`${flag}:${userId}`).digest();
  return digest.readUInt16BE(0) % 100;
}

export class FeatureFlags {
  private readonly cache = new BoundedCache<string, Flag>(500);
  private loadedAt = 0;

  constructor(
    private readonly database: Pool,
    private readonly clock: Clock,
    private readonly reloadMs: number,
  ) {}

  async isOn(name: string, userId: string): Promise<boolean> {
    await this.reloadIfDue();
    const flag = this.cache.get(name);
    if (flag === undefined || !flag.enabled) return false;
    return bucket(name, userId) < flag.percent;
  }

  private async reloadIfDue(): Promise<void> {
    if (this.clock.now() - this.loadedAt < this.reloadMs) return;
    // Set first: a slow database must not make every request queue up here.
    this.loadedAt = this.clock.now();
    const found = await this.database.query<Flag>("select name, enabled, percent from feature_flags");
    for (const flag of found.rows) {
      this.cache.set(flag.name, flag);
    }
  }
}

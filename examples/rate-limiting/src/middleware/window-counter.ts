import type { Clock } from "../lib/clock";

export interface Hit {
  readonly count: number;
  readonly resetInMs: number;
}

interface Slot {
  startedAt: number;
  count: number;
}

const SWEEP_EVERY = 1_000;

/** Counts hits by key in windows that start with the first hit. */
export class WindowCounter {
  private readonly slots = new Map<string, Slot>();
  private sinceSweep = 0;

  constructor(private readonly clock: Clock) {}

  hit(key: string, windowMs: number): Hit {
    const now = this.clock.now();
    let slot = this.slots.get(key);
    if (slot === undefined || slot.startedAt + windowMs <= now) {
      slot = { startedAt: now, count: 0 };
      this.slots.set(key, slot);
    }
    slot.count += 1;
    this.sweepSometimes(now, windowMs);
    return { count: slot.count, resetInMs: slot.startedAt + windowMs - now };
  }

  /** Forgets keys whose window is over; without it the map would grow for ever. */
  private sweepSometimes(now: number, windowMs: number): void {
    this.sinceSweep += 1;
    if (this.sinceSweep < SWEEP_EVERY) return;
    this.sinceSweep = 0;
    for (const [key, slot] of this.slots) {
      if (slot.startedAt + windowMs <= now) this.slots.delete(key);
    }
  }
}

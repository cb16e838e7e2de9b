/** Source of time in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Stands still until it is set. */
export class FixedClock implements Clock {
  constructor(public current: number) {}

  now(): number {
    return this.current;
  }
}

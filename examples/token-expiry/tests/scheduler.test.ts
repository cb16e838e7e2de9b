import { describe, expect, it } from "vitest";

import { Scheduler } from "../src/jobs/scheduler";
import { ManualClock } from "../src/lib/clock";
import { silentLogger } from "../src/lib/logger";

describe("scheduler", () => {
  it("does not start a job that is still running", () => {
    const clock = new ManualClock(0);
    const scheduler = new Scheduler(clock, silentLogger);
    let runs = 0;
    scheduler.add({
      name: "slow",
      everyMs: 1_000,
      run: () => {
        runs += 1;
        return new Promise(() => {});
      },
    });
    scheduler.tick();
    clock.advance(5_000);
    scheduler.tick();
    expect(runs).toBe(1);
  });

  it("refuses two jobs of one name", () => {
    const scheduler = new Scheduler(new ManualClock(0), silentLogger);
    const job = { name: "a", everyMs: 1, run: async () => {} };
    scheduler.add(job);
    expect(() => scheduler.add(job)).toThrow(/twice/);
  });
});

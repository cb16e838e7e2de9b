import type { Clock } from "../lib/clock";
import type { Logger } from "../lib/logger";

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

interface Entry {
  readonly job: Job;
  nextAt: number;
  running: boolean;
}

const TICK_MS = 1_000;

/** Runs jobs inside the process. A job never overlaps with itself. */
export class Scheduler {
  private readonly entries: Entry[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(job: Job): void {
    if (this.entries.some((entry) => entry.job.name === job.name)) {
      throw new Error(`job ${job.name} is scheduled twice`);
    }
    // Spread the first runs over a tenth of the interval.
    const offset = (job.everyMs / 10) * (this.entries.length / (this.entries.length + 1));
    this.entries.push({ job, nextAt: this.clock.now() + offset, running: false });
  }

  start(): void {
    this.timer ??= setInterval(() => this.tick(), TICK_MS);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Starts every job that is due. Public so that the specs can drive it by hand. */
  tick(): void {
    const now = this.clock.now();
    for (const entry of this.entries) {
      if (entry.running || entry.nextAt > now) continue;
      entry.running = true;
      entry.nextAt = now + entry.job.everyMs;
      entry.job
        .run()
        .catch((error: unknown) => this.logger.error("job failed", { job: entry.job.name, error: String(error) }))
        .finally(() => {
          entry.running = false;
        });
    }
  }
}

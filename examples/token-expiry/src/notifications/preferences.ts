import type { Pool } from "pg";

import { HttpError } from "../http/errors";
import { BoundedCache } from "../lib/bounded-cache";

export const CHANNELS = ["email", "push", "letter"] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Preference {
  readonly topic: string;
  readonly channels: readonly Channel[];
}

/** Topics nobody can switch off, because the law wants us to send them. */
const MANDATORY: Readonly<Record<string, Channel>> = {
  invoices: "email",
  terms: "email",
};

export function validate(preference: Preference): void {
  const unknown = preference.channels.filter((channel) => !CHANNELS.includes(channel));
  if (unknown.length > 0) {
    throw new HttpError(422, "unknown_channel", `Unknown channel: ${unknown.join(", ")}`);
  }
  const mandatory = MANDATORY[preference.topic];
  if (mandatory !== undefined && !preference.channels.includes(mandatory)) {
    throw new HttpError(422, "mandatory_channel", `${preference.topic} are always sent by ${mandatory}.`);
  }
}

export class Preferences {
  private readonly cache = new BoundedCache<string, readonly Preference[]>(10_000);

  constructor(private readonly database: Pool) {}

  async of(userId: string): Promise<readonly Preference[]> {
    const cached = this.cache.get(userId);
    if (cached !== undefined) return cached;
    const found = await this.database.query<Preference>(
      "select topic, channels from preferences where user_id = $1 order by topic",
      [userId],
    );
    this.cache.set(userId, found.rows);
    return found.rows;
  }

  async save(userId: string, preference: Preference): Promise<void> {
    validate(preference);
    await this.database.query(
      `insert into preferences (user_id, topic, channels) values ($1, $2, $3)
       on conflict (user_id, topic) do update set channels = excluded.channels`,
      [userId, preference.topic, preference.channels],
    );
    this.cache.delete(userId);
  }
}

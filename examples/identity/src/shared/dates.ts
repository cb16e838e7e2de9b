const DAY_MS = 24 * 60 * 60 * 1000;

/** A calendar day as YYYY-MM-DD; compares correctly as text. */
export type Day = string;

export function dayOf(date: Date, timezone: string): Day {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timezone }).format(date);
}

export function plusDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one day to another; negative when the second one is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / DAY_MS);
}

export function weekday(day: Day): number {
  return new Date(`${day}T12:00:00Z`).getUTCDay();
}

import { Problem } from "../http/problem";

/** A page of a list: everything after a cursor, up to a limit. */
export interface Page {
  readonly limit: number;
  readonly after: string | null;
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

function first(value: unknown): string | undefined {
  return Array.isArray(value) ? String(value[0]) : value === undefined ? undefined : String(value);
}

/**
 * Reads `limit` and `after` of a query string. A limit above the maximum is cut
 * down silently, because old versions of the storefront ask for 500.
 */
export function parsePage(query: Readonly<Record<string, unknown>>): Page {
  const text = first(query.limit);
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  if (!Number.isInteger(limit) || limit < 1) {
    throw Problem.invalid("limit must be a positive whole number.");
  }
  const cursor = first(query.after);
  return { limit: Math.min(limit, MAX_LIMIT), after: cursor === undefined ? null : decodeCursor(cursor) };
}

export function encodeCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

export function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, "base64url").toString();
  if (encodeCursor(key) !== cursor) throw Problem.invalid("after is not a cursor of ours.");
  return key;
}

/** The cursor of the following page, null on the last one. */
export function nextCursor(rows: number, page: Page, lastKey: string | undefined): string | null {
  return rows > page.limit && lastKey !== undefined ? encodeCursor(lastKey) : null;
}

import type { Copy } from "../catalogue/work-index";
import type { Member } from "../members/member";
import { type Day, daysBetween, plusDays, weekday } from "../shared/dates";

export const BLOCKED_FROM_CENTS = 2_000;

const CENTS_PER_DAY = 25;
const HANDLING_CENTS = 500;
const SUNDAY = 0;
const MONDAY = 1;

/** Branches are closed on Sundays and Mondays. */
export function isOpenOn(day: Day): boolean {
  return weekday(day) !== SUNDAY && weekday(day) !== MONDAY;
}

export function openDaysAfter(due: Day, today: Day): number {
  let open = 0;
  for (let offset = 1; offset <= daysBetween(due, today); offset += 1) {
    if (isOpenOn(plusDays(due, offset))) open += 1;
  }
  return open;
}

/** Never more than the copy is worth, and nothing at all for children. */
export function overdueFee(due: Day, today: Day, member: Member, copy: Copy): number {
  if (member.kind === "child") return 0;
  return Math.min(openDaysAfter(due, today) * CENTS_PER_DAY, copy.priceCents);
}

export function lossFee(copy: Copy): number {
  return copy.priceCents + HANDLING_CENTS;
}

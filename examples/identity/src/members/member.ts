import type { Day } from "../shared/dates";

export type MemberKind = "child" | "adult" | "institution";

/** A person (or a school, or a kindergarten) with a card. */
export interface Member {
  readonly id: string;
  readonly cardNumber: string;
  readonly name: string;
  readonly kind: MemberKind;
  readonly email: string | null;
  readonly postalAddress: string;
  readonly homeBranch: string;
  readonly feesDueCents: number;
  readonly cardValidUntil: Day;
}

/** How many copies a member may have at home at the same time. */
export const COPIES_AT_HOME: Readonly<Record<MemberKind, number>> = {
  child: 20,
  adult: 40,
  institution: 150,
};

/** Last digit of a card number; catches one wrong digit and most swapped ones. */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let position = 0; position < digits.length; position += 1) {
    const digit = Number(digits[digits.length - 1 - position]);
    const doubled = position % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}

export function isCardNumber(text: string): boolean {
  return /^\d{10}$/.test(text) && checkDigit(text.slice(0, 9)) === Number(text[9]);
}

export function prefersLetters(member: Member): boolean {
  return member.email === null;
}

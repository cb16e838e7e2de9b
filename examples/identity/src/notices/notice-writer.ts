import type { Loan } from "../circulation/loan-flow";
import { type Member, prefersLetters } from "../members/member";

export type Channel = "mail" | "letter";

export interface Notice {
  readonly memberId: string;
  readonly channel: Channel;
  readonly subject: string;
  readonly body: string;
}

function notice(member: Member, subject: string, lines: readonly string[]): Notice {
  return {
    memberId: member.id,
    channel: prefersLetters(member) ? "letter" : "mail",
    subject,
    body: [`Dear ${member.name},`, "", ...lines, "", "Your city library"].join("\n"),
  };
}

/** Sent three days before the due day. Members with letters do not get one, postage is dear. */
export function dueSoon(member: Member, loans: readonly Loan[]): Notice | null {
  if (loans.length === 0 || prefersLetters(member)) return null;
  const list = loans.map((loan) => `- ${loan.barcode}, due on ${loan.due}`);
  return notice(member, "Due soon", ["these copies are due in a few days:", "", ...list]);
}

export function overdue(member: Member, loans: readonly Loan[], feeCents: number): Notice {
  const list = loans.map((loan) => `- ${loan.barcode}, was due on ${loan.due}`);
  const fee = feeCents === 0 ? [] : ["", `The fee so far is ${(feeCents / 100).toFixed(2)} euros.`];
  return notice(member, "Overdue", ["please bring these copies back:", "", ...list, ...fee]);
}

export function holdReady(member: Member, title: string, branch: string): Notice {
  return notice(member, "Ready for you", [
    `"${title}" is waiting for you at ${branch}.`,
    "We keep it for ten days.",
  ]);
}

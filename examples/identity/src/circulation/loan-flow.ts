import type { Pool } from "pg";

import type { Copy, WorkIndex } from "../catalogue/work-index";
import { COPIES_AT_HOME, type Member } from "../members/member";
import type { MemberBook } from "../members/member-book";
import { type Day, dayOf, plusDays } from "../shared/dates";
import { DeskError } from "../shared/desk-error";
import { BLOCKED_FROM_CENTS, overdueFee } from "./fees";
import type { HoldQueue } from "./hold-queue";

export interface Loan {
  readonly barcode: string;
  readonly memberId: string;
  readonly due: Day;
  readonly renewals: number;
}

const LOAN_DAYS = 28;
const MAX_RENEWALS = 2;

/** The flow of a copy from the shelf to a member and back: lend, renew, take back. */
export class LoanFlow {
  constructor(
    private readonly database: Pool,
    private readonly works: WorkIndex,
    private readonly members: MemberBook,
    private readonly holds: HoldQueue,
    private readonly timezone: string,
  ) {}

  async lend(barcode: string, memberId: string): Promise<Loan> {
    const [copy, member] = await Promise.all([this.works.copy(barcode), this.members.byId(memberId)]);
    await this.assertMayBorrow(member, copy);
    const loan: Loan = { barcode, memberId, due: plusDays(this.today(), LOAN_DAYS), renewals: 0 };
    await this.database.query(
      "insert into loans (barcode, member_id, due, renewals) values ($1, $2, $3, 0)",
      [loan.barcode, loan.memberId, loan.due],
    );
    await this.works.setState(barcode, "loan");
    return loan;
  }

  async renew(barcode: string, memberId: string): Promise<Loan> {
    const loan = await this.current(barcode);
    if (loan.memberId !== memberId) throw DeskError.missing("This loan");
    const copy = await this.works.copy(barcode);
    if (loan.renewals >= MAX_RENEWALS || (await this.holds.isWanted(copy.workId))) {
      throw new DeskError(409, "not_renewable", "This copy has to come back on its due day.");
    }
    const renewed = { ...loan, due: plusDays(this.today(), LOAN_DAYS), renewals: loan.renewals + 1 };
    await this.database.query("update loans set due = $2, renewals = $3 where barcode = $1", [
      barcode,
      renewed.due,
      renewed.renewals,
    ]);
    return renewed;
  }

  /** Where the copy has to go: to its shelf, or to the shelf of holds for the next member. */
  async takeBack(barcode: string): Promise<"shelf" | "hold-shelf"> {
    const loan = await this.current(barcode);
    const [copy, member] = await Promise.all([
      this.works.copy(barcode),
      this.members.byId(loan.memberId),
    ]);
    await this.members.charge(member.id, overdueFee(loan.due, this.today(), member, copy), "overdue");
    await this.database.query("delete from loans where barcode = $1", [barcode]);
    const state = (await this.holds.offer(copy)) === null ? "shelf" : "hold-shelf";
    await this.works.setState(barcode, state);
    return state;
  }

  async of(memberId: string): Promise<readonly Loan[]> {
    const found = await this.database.query<Loan>(
      `select barcode, member_id as "memberId", due::text, renewals from loans where member_id = $1`,
      [memberId],
    );
    return found.rows;
  }

  private async assertMayBorrow(member: Member, copy: Copy): Promise<void> {
    if (copy.state !== "shelf" && copy.state !== "hold-shelf") {
      throw new DeskError(409, "not_available", "This copy is not available.");
    }
    if (member.feesDueCents > BLOCKED_FROM_CENTS) {
      throw new DeskError(402, "fees_due", "Please pay the open fees first.");
    }
    if ((await this.of(member.id)).length >= COPIES_AT_HOME[member.kind]) {
      throw new DeskError(409, "too_many", "Some copies have to come back first.");
    }
  }

  private async current(barcode: string): Promise<Loan> {
    const found = await this.database.query<Loan>(
      `select barcode, member_id as "memberId", due::text, renewals from loans where barcode = $1`,
      [barcode],
    );
    const loan = found.rows[0];
    if (loan === undefined) throw DeskError.missing("This loan");
    return loan;
  }

  private today(): Day {
    return dayOf(new Date(), this.timezone);
  }
}

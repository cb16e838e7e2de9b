import type { Pool } from "pg";

export interface BranchFigures {
  readonly branch: string;
  readonly loans: number;
  readonly visitors: number;
  readonly newMembers: number;
}

export interface CityReport {
  readonly month: string;
  readonly branches: readonly BranchFigures[];
  readonly cashFlowCents: number;
}

/** Monthly figures for the city: use of the branches, and the cash flow of the desks. */
export class CityReports {
  constructor(private readonly database: Pool) {}

  async month(month: string): Promise<CityReport> {
    const figures = await this.database.query<BranchFigures>(
      `select branch, loans, visitors, new_members as "newMembers"
         from branch_months where month = $1 order by branch`,
      [month],
    );
    const cash = await this.database.query<{ cents: number }>(
      "select coalesce(sum(cents), 0)::int as cents from desk_payments where to_char(at, 'YYYY-MM') = $1",
      [month],
    );
    return { month, branches: figures.rows, cashFlowCents: cash.rows[0]!.cents };
  }
}

/** The city's statistics office reads nothing but semicolons. */
export function toCsv(report: CityReport): string {
  const head = "month;branch;loans;visitors;new members";
  const rows = report.branches.map((row) =>
    [report.month, row.branch, row.loans, row.visitors, row.newMembers].join(";"),
  );
  return [head, ...rows].join("\r\n");
}

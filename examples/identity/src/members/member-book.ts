import type { Pool } from "pg";

import { DeskError } from "../shared/desk-error";
import { isCardNumber, type Member } from "./member";

/** Reads and changes members. Cards are never reused, so the card number is a second key. */
export class MemberBook {
  constructor(private readonly database: Pool) {}

  async byId(id: string): Promise<Member> {
    const found = await this.database.query<Member>("select * from member_view where id = $1", [id]);
    const member = found.rows[0];
    if (member === undefined) throw DeskError.missing("This member");
    return member;
  }

  async byCard(cardNumber: string): Promise<Member> {
    if (!isCardNumber(cardNumber)) {
      throw new DeskError(422, "card_number", "This is not a card number; scan the card again.");
    }
    const found = await this.database.query<Member>(
      `select * from member_view where "cardNumber" = $1`,
      [cardNumber],
    );
    const member = found.rows[0];
    if (member === undefined) throw DeskError.missing("This card");
    return member;
  }

  async charge(id: string, cents: number, reason: string): Promise<void> {
    if (cents === 0) return;
    await this.database.query(
      "insert into member_charges (member_id, cents, reason, at) values ($1, $2, $3, now())",
      [id, cents, reason],
    );
  }

  async owing(atLeastCents: number): Promise<readonly Member[]> {
    const found = await this.database.query<Member>(
      `select * from member_view where "feesDueCents" >= $1 order by "feesDueCents" desc`,
      [atLeastCents],
    );
    return found.rows;
  }
}

import { scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Pool } from "pg";

const derive = promisify<string, string, number, Buffer>(scrypt);

export interface KnownMember {
  readonly id: string;
  readonly isStaff: boolean;
}

interface CredentialRow extends KnownMember {
  readonly pinHash: string;
  readonly pinSalt: string;
  readonly failures: number;
}

/** After this many wrong PINs the card has to be shown at a desk. */
const MAX_FAILURES = 6;

/** Checks the credential of a card: its PIN. */
export class CredentialCheck {
  constructor(private readonly database: Pool) {}

  async check(cardNumber: string, pin: string): Promise<KnownMember | null> {
    const found = await this.database.query<CredentialRow>(
      `select member_id as id, is_staff as "isStaff", pin_hash as "pinHash", pin_salt as "pinSalt",
              failures
         from card_credentials where card_number = $1 and blocked_at is null`,
      [cardNumber.replace(/\s/g, "")],
    );
    const row = found.rows[0];
    if (row === undefined || row.failures >= MAX_FAILURES) return null;
    const actual = await derive(pin, row.pinSalt, 32);
    const matches = timingSafeEqual(actual, Buffer.from(row.pinHash, "hex"));
    await this.remember(cardNumber, matches ? 0 : row.failures + 1);
    return matches ? { id: row.id, isStaff: row.isStaff } : null;
  }

  private async remember(cardNumber: string, failures: number): Promise<void> {
    await this.database.query("update card_credentials set failures = $2 where card_number = $1", [
      cardNumber,
      failures,
    ]);
  }
}

import type { Pool } from "pg";

import type { UserDirectory } from "../contracts";
import { normaliseEmail, type User } from "./user";

const COLUMNS = `
  id, email, display_name as "displayName", locale, timezone, origin,
  password_hash as "passwordHash", password_salt as "passwordSalt",
  marketing_consent as "marketingConsent", push_address as "pushToken",
  created_at as "createdAt", deactivated_at as "deactivatedAt"`;

export interface ProfileChange {
  readonly displayName?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly marketingConsent?: boolean;
}

export class UserRepository implements UserDirectory {
  constructor(private readonly database: Pool) {}

  async byId(id: string): Promise<User | null> {
    const found = await this.database.query<User>(`select ${COLUMNS} from users where id = $1`, [id]);
    return found.rows[0] ?? null;
  }

  async byEmail(email: string): Promise<User | null> {
    const found = await this.database.query<User>(
      `select ${COLUMNS} from users where email = $1 and deactivated_at is null`,
      [normaliseEmail(email)],
    );
    return found.rows[0] ?? null;
  }

  async update(id: string, change: ProfileChange): Promise<User | null> {
    const updated = await this.database.query<User>(
      `update users set
         display_name = coalesce($2, display_name),
         locale = coalesce($3, locale),
         timezone = coalesce($4, timezone),
         marketing_consent = coalesce($5, marketing_consent)
       where id = $1 returning ${COLUMNS}`,
      [
        id,
        change.displayName ?? null,
        change.locale ?? null,
        change.timezone ?? null,
        change.marketingConsent ?? null,
      ],
    );
    return updated.rows[0] ?? null;
  }

  async deactivate(id: string, at: Date): Promise<void> {
    await this.database.query("update users set deactivated_at = $2 where id = $1", [id, at]);
  }
}

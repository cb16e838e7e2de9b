import type { AuditSink, Outbox } from "../contracts";
import { HttpError } from "../http/errors";
import { greetingName, toPublicProfile, type PublicProfile, type User } from "./user";
import type { ProfileChange, UserRepository } from "./user-repository";

const NAME_MAX = 80;

/** Everything a user may do with their own record. */
export class UserService {
  constructor(
    private readonly users: UserRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditSink,
  ) {}

  async profile(id: string): Promise<PublicProfile> {
    return toPublicProfile(await this.existing(id));
  }

  async changeProfile(id: string, change: ProfileChange): Promise<User> {
    if (change.displayName !== undefined && change.displayName.length > NAME_MAX) {
      throw new HttpError(422, "name_too_long", `Names have at most ${NAME_MAX} characters.`);
    }
    if (change.timezone !== undefined && !isTimezone(change.timezone)) {
      throw new HttpError(422, "unknown_timezone", "This time zone is not known.");
    }
    const user = await this.users.update(id, change);
    if (user === null) throw new HttpError(404, "user_not_found", "No such user.");
    await this.audit.record("user.changed", id, { fields: Object.keys(change) });
    return user;
  }

  /** Accounts are deactivated, never deleted: invoices must stay attributable for ten years. */
  async close(id: string): Promise<void> {
    const user = await this.existing(id);
    await this.users.deactivate(id, new Date());
    await this.outbox.enqueue(user.email, "account-closed", { name: greetingName(user) });
    await this.audit.record("user.closed", id);
  }

  private async existing(id: string): Promise<User> {
    const user = await this.users.byId(id);
    if (user === null) throw new HttpError(404, "user_not_found", "No such user.");
    return user;
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

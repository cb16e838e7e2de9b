/** A person who can sign in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly locale: string;
  readonly timezone: string;
  /** Where the account came from; `auth` details of partners are not kept here. */
  readonly origin: "signup" | "import" | "partner";
  readonly passwordHash: string;
  readonly passwordSalt: string;
  readonly marketingConsent: boolean;
  /** Device token for push messages, when the app was ever installed. */
  readonly pushToken: string | null;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
}

/** What other people may see of a user. */
export interface PublicProfile {
  readonly id: string;
  readonly displayName: string;
  readonly initials: string;
}

export function isActive(user: User): boolean {
  return user.deactivatedAt === null;
}

export function initials(displayName: string): string {
  return displayName
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 2)
    .map((word) => word[0]!.toLocaleUpperCase())
    .join("");
}

export function toPublicProfile(user: User): PublicProfile {
  return {
    id: user.id,
    displayName: user.displayName,
    initials: initials(user.displayName),
  };
}

/** Addresses are compared without case and without surrounding blanks. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The greeting used in mail; falls back to the part before the at sign. */
export function greetingName(user: User): string {
  return user.displayName !== "" ? user.displayName : user.email.split("@")[0] ?? "there";
}

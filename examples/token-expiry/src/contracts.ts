import type { User } from "./users/user";

/**
 * Interfaces between the folders of this service. A service depends on these,
 * never on another service's class; the container decides what stands behind
 * them.
 */

export interface Claims {
  readonly sub: string;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
  readonly sid: string;
}

/** Turns claims into a compact string and back. */
export interface JwtCodec {
  encodeJwt(claims: Claims): string;
  /** Checks the signature only; what the claims mean is the caller's business. */
  decodeJwt(compact: string): Claims | null;
}

export interface RefreshedSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly grant: string;
  readonly deadline: number;
}

/** Opens, renews and closes sessions. */
export interface SessionRefresher {
  openSession(userId: string, device: string): Promise<RefreshedSession>;
  refreshSession(grant: string): Promise<RefreshedSession | null>;
  closeSession(sessionId: string): Promise<void>;
}

export interface UserDirectory {
  byId(id: string): Promise<User | null>;
  byEmail(email: string): Promise<User | null>;
}

export interface AuditSink {
  record(event: string, subject: string, details?: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface Outbox {
  enqueue(to: string, template: string, values: Readonly<Record<string, string>>): Promise<void>;
}

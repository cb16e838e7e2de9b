import { DeskError } from "../shared/desk-error";
import type { CredentialCheck } from "./credential-check";
import type { SessionStore } from "./session-store";
import type { TokenManager } from "./token-manager";

/** Who somebody is, as far as the desk is concerned. */
export interface Identity {
  readonly memberId: string;
  readonly isStaff: boolean;
  readonly sessionId: string;
}

export interface ProvenIdentity {
  readonly identity: Identity;
  /** What the member carries from now on. */
  readonly token: string;
}

const SHORT_VISIT_MINUTES = 30;
const MINUTES_PER_DAY = 24 * 60;

/**
 * Finds out which member we are dealing with. A member proves an identity once
 * with a credential and is recognised by a token afterwards. Members who come
 * back to a remembered device do not have to show the credential again until
 * the session has run out.
 */
export class IdentityService {
  constructor(
    private readonly credentials: CredentialCheck,
    private readonly tokens: TokenManager,
    private readonly sessions: SessionStore,
    private readonly rememberDays: number,
  ) {}

  /** Card and PIN at the door of the website or at a terminal. */
  async prove(cardNumber: string, pin: string, remember: boolean): Promise<ProvenIdentity> {
    const member = await this.credentials.check(cardNumber, pin);
    if (member === null) {
      throw new DeskError(401, "credential_wrong", "Card number or PIN is wrong.");
    }
    const minutes = remember ? this.rememberDays * MINUTES_PER_DAY : SHORT_VISIT_MINUTES;
    const session = await this.sessions.open(member.id, minutes);
    const identity: Identity = {
      memberId: member.id,
      isStaff: member.isStaff,
      sessionId: session.id,
    };
    return { identity, token: this.tokens.seal(identity) };
  }

  /** The identity behind a token, or null when it is not ours or its session is over. */
  async recognise(token: string): Promise<Identity | null> {
    const identity = this.tokens.open(token);
    if (identity === null) return null;
    const session = await this.sessions.find(identity.sessionId);
    if (session === null || session.memberId !== identity.memberId) return null;
    // Somebody who is using the site right now is not sent away.
    await this.sessions.touch(session.id);
    return identity;
  }

  async forget(identity: Identity): Promise<void> {
    await this.sessions.close(identity.sessionId);
  }

  /** After a lost card: every device has to prove the identity again. */
  async forgetEverywhere(memberId: string): Promise<number> {
    return this.sessions.closeAll(memberId);
  }
}

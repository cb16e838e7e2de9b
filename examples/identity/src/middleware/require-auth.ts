import type { NextFunction, Request, RequestHandler, Response } from "express";

import { DeskError } from "../shared/desk-error";
import type { Services } from "../services";

export interface AuthenticatedRequest extends Request {
  member?: { readonly memberId: string; readonly isStaff: boolean };
}

const LOGIN_PAGE = "/door";
const COOKIE = "library_token";

/** The credential of a request: the header of the app, or the cookie of the website. */
export function credentialOf(request: Request): string | null {
  const header = request.header("authorization");
  if (header?.startsWith("Bearer ")) return header.slice("Bearer ".length);
  const cookies = (request.headers.cookie ?? "").split(";").map((part) => part.trim());
  const ours = cookies.find((part) => part.startsWith(`${COOKIE}=`));
  return ours === undefined ? null : ours.slice(COOKIE.length + 1);
}

/** Only our own pages; anything else would make the login an open redirect. */
export function returnPath(request: Request): string {
  const path = request.originalUrl;
  return path.startsWith("/") && !path.startsWith("//") ? path : "/";
}

/**
 * Authentication for routes that need a member. The middleware itself decides
 * nothing: authentication is the business of the identity service, which looks
 * at the credential, checks the token and finds the session. Here we only turn
 * its answer into either a member on the request or a trip to the login page.
 */
export function requireAuth(services: Services): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const credential = credentialOf(request);
    if (credential === null) {
      toLogin(request, response, next);
      return;
    }
    services
      .get("identity")
      .recognise(credential)
      .then((identity) => {
        if (identity === null) {
          toLogin(request, response, next);
          return;
        }
        (request as AuthenticatedRequest).member = {
          memberId: identity.memberId,
          isStaff: identity.isStaff,
        };
        next();
      })
      .catch(next);
  };
}

/** People are sent to the login page, programs are told. */
function toLogin(request: Request, response: Response, next: NextFunction): void {
  if (request.accepts(["json", "html"]) === "html") {
    response.redirect(303, `${LOGIN_PAGE}?back=${encodeURIComponent(returnPath(request))}`);
    return;
  }
  next(new DeskError(401, "authentication_needed", "This needs a login."));
}

import { randomBytes } from "node:crypto";
import type { RequestHandler } from "express";

import { HttpError } from "./errors";

const COOKIE = "hl_form";
const HEADER = "x-form-token";
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

function readCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name && value !== undefined) return value;
  }
  return null;
}

/**
 * Double-submit protection for the back-office forms. The mobile apps do not
 * send cookies, so requests without any cookie pass.
 */
export function formProtection(): RequestHandler {
  return (request, response, next) => {
    const fromCookie = readCookie(request.headers.cookie, COOKIE);
    if (fromCookie === null) {
      response.cookie(COOKIE, randomBytes(18).toString("base64url"), { sameSite: "strict", secure: true });
      next();
      return;
    }
    if (!SAFE_METHODS.has(request.method) && request.header(HEADER) !== fromCookie) {
      next(new HttpError(403, "form_rejected", "Reload the page and try again."));
      return;
    }
    next();
  };
}

import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";

const HEADER = "x-request-id";

/** Ids from outside are kept when they look harmless, so that traces can span services. */
function acceptable(value: string | undefined): value is string {
  return value !== undefined && /^[\w-]{8,64}$/.test(value);
}

export function requestId(): RequestHandler {
  return (request, response, next) => {
    const given = request.header(HEADER);
    response.setHeader(HEADER, acceptable(given) ? given : randomUUID());
    next();
  };
}

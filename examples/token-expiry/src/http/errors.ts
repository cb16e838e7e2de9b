import type { ErrorRequestHandler } from "express";

import type { Logger } from "../lib/logger";

/** An error that the client is told about. `code` is part of the public contract. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "HttpError";
  }
}

interface BodyParserError extends Error {
  readonly type: string;
  readonly status: number;
}

function isBodyParserError(error: unknown): error is BodyParserError {
  return error instanceof Error && "type" in error && "status" in error;
}

/** Last handler of the chain: everything that was thrown becomes a JSON answer. */
export function errorMapper(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    if (error instanceof HttpError) {
      response.status(error.status).json({ code: error.code, message: error.message });
      return;
    }
    if (isBodyParserError(error)) {
      response.status(error.status).json({ code: "bad_body", message: error.message });
      return;
    }
    logger.error("unhandled", { path: request.path, error: String(error) });
    response.status(500).json({ code: "internal_error", message: "Something went wrong." });
  };
}

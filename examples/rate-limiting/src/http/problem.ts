import type { ErrorRequestHandler } from "express";

/** Something that went wrong and that the caller is told about. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly detail: string,
  ) {
    super(`${status} ${type}: ${detail}`);
    this.name = "Problem";
  }

  static notFound(what: string): Problem {
    return new Problem(404, "not_found", `${what} does not exist.`);
  }

  static invalid(detail: string): Problem {
    return new Problem(422, "invalid", detail);
  }
}

/** Turns problems into answers; anything else is an internal error. */
export function problemResponder(): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem =
      error instanceof Problem ? error : new Problem(500, "internal", "Something went wrong here.");
    response
      .status(problem.status)
      .type("application/problem+json")
      .json({ type: problem.type, detail: problem.detail });
  };
}

import type { ErrorRequestHandler } from "express";

import { DeskError } from "../shared/desk-error";

/** JSON for programs and a plain page for people. */
export function errorPage(): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const known =
      error instanceof DeskError ? error : new DeskError(500, "broken", "Something broke on our side.");
    if (!(error instanceof DeskError)) console.error(request.method, request.path, error);
    response.status(known.status);
    if (request.accepts(["json", "html"]) === "html") {
      response.type("html").send(`<h1>${known.status}</h1><p>${known.message}</p>`);
      return;
    }
    response.json({ code: known.code, message: known.message });
  };
}

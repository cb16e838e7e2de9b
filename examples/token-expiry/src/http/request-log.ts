import type { RequestHandler } from "express";

import type { Clock } from "../lib/clock";
import type { Logger } from "../lib/logger";

/** One line a request, written when the response is done. Query strings are left out on purpose. */
export function requestLog(logger: Logger, clock: Clock): RequestHandler {
  return (request, response, next) => {
    const started = clock.now();
    response.on("finish", () => {
      if (request.path === "/healthz") return;
      logger.info("request", {
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: clock.now() - started,
      });
    });
    next();
  };
}

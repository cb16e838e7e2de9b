import type { RequestHandler } from "express";

import type { Clock } from "../lib/clock";
import type { Logger } from "../lib/logger";

/** One line for each finished request. */
export function accessLog(logger: Logger, clock: Clock): RequestHandler {
  return (request, response, next) => {
    const startedAt = clock.now();
    response.once("finish", () => {
      logger.info("request", {
        id: response.getHeader("x-request-id"),
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: clock.now() - startedAt,
        bytes: Number(response.getHeader("content-length") ?? 0),
      });
    });
    next();
  };
}

import type { Request, RequestHandler } from "express";

import { Problem } from "../http/problem";
import type { WindowCounter } from "./window-counter";

export interface ThrottleOptions {
  readonly enabled: boolean;
  /** Length of the window in which calls are counted. */
  readonly windowMs: number;
  /** Calls that one client may make within a window. */
  readonly burst: number;
}

/**
 * Who is throttled: partners by their key, everybody else by address. Behind the
 * load balancer `request.ip` is the visitor's, because `trust proxy` is set.
 */
export function throttleKey(request: Request): string {
  const partner = request.header("x-partner-key");
  return partner !== undefined ? `partner:${partner}` : `address:${request.ip ?? "unknown"}`;
}

/** Seconds after which a throttled client should come back. */
export function retryAfterSeconds(resetInMs: number): number {
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** Whether a request is let through without being counted. */
function isFree(request: Request): boolean {
  return request.method === "OPTIONS" || request.path === "/healthz";
}

/**
 * The throttle middleware. It counts the calls of each client in a window and
 * answers 429 once the burst is used up. The counter lives in this process: with
 * two instances a client can get twice the burst, which we accept.
 */
export function throttle(counter: WindowCounter, options: ThrottleOptions): RequestHandler {
  return (request, response, next) => {
    if (!options.enabled || isFree(request)) {
      next();
      return;
    }
    const { count, resetInMs } = counter.hit(throttleKey(request), options.windowMs);
    response.setHeader("x-throttle-burst", String(options.burst));
    response.setHeader("x-throttle-left", String(Math.max(0, options.burst - count)));
    if (count > options.burst) {
      response.setHeader("retry-after", String(retryAfterSeconds(resetInMs)));
      next(new Problem(429, "throttled", "Too many calls, please slow down."));
      return;
    }
    next();
  };
}

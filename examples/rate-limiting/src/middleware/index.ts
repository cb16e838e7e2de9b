import type { RequestHandler } from "express";

import type { Clock } from "../lib/clock";
import type { Logger } from "../lib/logger";
import { accessLog } from "./access-log";
import { requestId } from "./request-id";
import { throttle, type ThrottleOptions } from "./throttle";
import { WindowCounter } from "./window-counter";

export { accessLog } from "./access-log";
export { requestId } from "./request-id";
export { throttle } from "./throttle";

export interface ChainOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly throttle: ThrottleOptions;
}

/**
 * The middleware that runs before every route, outermost first. Throttle comes
 * after the access log, so that calls which were turned away are logged too.
 */
export function buildChain(options: ChainOptions): readonly RequestHandler[] {
  const chain: RequestHandler[] = [requestId(), accessLog(options.logger, options.clock)];
  if (options.throttle.enabled) {
    chain.push(throttle(new WindowCounter(options.clock), options.throttle));
  }
  return chain;
}

/**
 * Hands the middleware over to RouterSetup, which owns the order of things:
 * see RouterSetup.mountPipeline for what may come before and after it.
 */
export function installChain(setup: RouterSetup, options: ChainOptions): void {
  setup.mountPipeline("global", buildChain(options));
}

/**
 * Middleware for one group of routes only. Partners get a throttle of their own
 * with a counter of their own; both are mounted on the group's pipeline.
 */
export function installPartnerChain(setup: RouterSetup, options: ChainOptions): void {
  const partnerThrottle: ThrottleOptions = {
    ...options.throttle,
    burst: options.throttle.burst * 5,
  };
  setup.mountPipeline("partners", [throttle(new WindowCounter(options.clock), partnerThrottle)]);
}

import type { NextFunction, Request, RequestHandler, Response } from "express";

/** Wraps an async function so that a rejection reaches the responder. */
export function run(
  action: (request: Request, response: Response) => Promise<unknown>,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    action(request, response).catch(next);
  };
}

import type { NextFunction, Request, RequestHandler, Response } from "express";

/** Hands rejections of an async function to the error page. */
export function handle(
  action: (request: Request, response: Response) => Promise<unknown>,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    action(request, response).catch(next);
  };
}

/** The member that an earlier handler put on the request. */
export function memberIdOf(request: Request): string {
  const { member } = request as Request & { member?: { memberId: string } };
  if (member === undefined) throw new Error(`${request.path} is mounted without a member`);
  return member.memberId;
}

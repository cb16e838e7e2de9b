import type { NextFunction, Request, RequestHandler, Response } from "express";

import { DeskError } from "../shared/desk-error";

interface MaybeStaffRequest extends Request {
  member?: { readonly memberId: string; readonly isStaff: boolean };
}

/** Lets only staff through. Must come after the handler that finds the member. */
export function requireDesk(): RequestHandler {
  return (request: MaybeStaffRequest, _response: Response, next: NextFunction): void => {
    if (request.member?.isStaff === true) {
      next();
      return;
    }
    next(new DeskError(403, "staff_only", "This is for members of staff."));
  };
}

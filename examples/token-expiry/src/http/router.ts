import { Router, type NextFunction, type Request, type Response } from "express";

import type { AuthenticatedRequest } from "../auth/auth";
import type { Container } from "../container";
import { formProtection } from "./csrf";

type Action = (request: Request, response: Response) => Promise<void>;

/** Express 4 does not look at returned promises; this hands rejections to the error mapper. */
function action(run: Action) {
  return (request: Request, response: Response, next: NextFunction): void => {
    run(request, response).catch(next);
  };
}

function callerId(request: Request): string {
  return (request as AuthenticatedRequest).auth!.userId;
}

export function buildRouter(container: Container): Router {
  const router = Router();
  router.use(formProtection());

  router.post(
    "/sign-in",
    action(async (request, response) => {
      const { email, password, device } = request.body as Record<string, string>;
      response.json(await container.auth.signIn(email ?? "", password ?? "", device ?? "unknown"));
    }),
  );
  router.post(
    "/sign-in/renew",
    action(async (request, response) => {
      response.json(await container.auth.refresh(String(request.body.grant ?? "")));
    }),
  );

  router.use(container.auth.requireAuthentication());

  router.get(
    "/me",
    action(async (request, response) => {
      response.json(await container.users.profile(callerId(request)));
    }),
  );
  router.patch(
    "/me",
    action(async (request, response) => {
      response.json(await container.users.changeProfile(callerId(request), request.body));
    }),
  );
  router.get(
    "/me/invoices",
    action(async (request, response) => {
      const page = Number(request.query.page ?? 0);
      response.json(await container.invoices.listFor(callerId(request), page));
    }),
  );
  router.put(
    "/me/preferences",
    action(async (request, response) => {
      await container.preferences.save(callerId(request), request.body);
      response.status(204).end();
    }),
  );
  return router;
}

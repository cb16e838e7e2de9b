import { Router } from "express";

import type { Services } from "../services";
import { handle } from "./handle";

/** The door of the website: members come in with card and PIN, and leave again. */
export function frontDoorRoutes(services: Services): Router {
  const router = Router();

  router.post(
    "/",
    handle(async (request, response) => {
      const { card, pin, remember } = request.body as { card: string; pin: string; remember?: boolean };
      const proven = await services.get("identity").prove(card, pin, remember === true);
      response.cookie("library_token", proven.token, { httpOnly: true, sameSite: "lax", secure: true });
      response.json({ memberId: proven.identity.memberId });
    }),
  );

  router.delete(
    "/",
    handle(async (request, response) => {
      const token = String(request.headers.cookie ?? "").split("library_token=")[1] ?? "";
      const identity = await services.get("identity").recognise(token);
      if (identity !== null) await services.get("identity").forget(identity);
      response.clearCookie("library_token").status(204).end();
    }),
  );
  return router;
}

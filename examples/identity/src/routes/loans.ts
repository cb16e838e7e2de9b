import { Router } from "express";

import type { Services } from "../services";
import { handle, memberIdOf } from "./handle";

/** A member's own loans. Lending at a desk goes through the desk program. */
export function loanRoutes(services: Services): Router {
  const router = Router();
  router.get(
    "/",
    handle(async (request, response) => {
      response.json(await services.get("loans").of(memberIdOf(request)));
    }),
  );
  router.post(
    "/:barcode/renew",
    handle(async (request, response) => {
      const { barcode } = request.params;
      response.json(await services.get("loans").renew(barcode!, memberIdOf(request)));
    }),
  );
  return router;
}

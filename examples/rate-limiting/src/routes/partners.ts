import { Router } from "express";

import { PartnerApi } from "../clients/partner-api";
import { Problem } from "../http/problem";
import { run } from "../http/run";
import type { RouteContext } from "./index";

/** What partners call: stock levels in bulk, and a check of their key. */
export function partnerRoutes(context: RouteContext): Router {
  const api = new PartnerApi(context.settings);
  const router = Router();

  router.get(
    "/whoami",
    run(async (request, response) => {
      const key = request.header("x-partner-key");
      if (key === undefined) throw new Problem(401, "key_missing", "Send your key in x-partner-key.");
      response.json(await api.describe(key));
    }),
  );

  router.get(
    "/stock",
    run(async (request, response) => {
      const skus = String(request.query.skus ?? "").split(",").filter(Boolean);
      if (skus.length > 200) throw Problem.invalid("Ask for at most 200 products at once.");
      const found = await context.database.query(
        "select sku, on_hand from stock where sku = any($1)",
        [skus],
      );
      response.json(found.rows);
    }),
  );
  return router;
}

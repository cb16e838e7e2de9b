import { Router } from "express";

import { heading } from "../catalogue/authors";
import type { Services } from "../services";
import { handle } from "./handle";

/** Search and details; open to everybody. */
export function catalogueRoutes(services: Services): Router {
  const router = Router();
  router.get(
    "/works",
    handle(async (request, response) => {
      response.json(await services.get("works").find(String(request.query.q ?? "")));
    }),
  );
  router.get(
    "/works/:id/copies",
    handle(async (request, response) => {
      response.json(await services.get("works").copiesOf(request.params.id!));
    }),
  );
  router.get(
    "/authors",
    handle(async (request, response) => {
      const records = await services.get("authorities").startingWith(String(request.query.name ?? ""));
      const names = records.map((record) => record.preferred);
      response.json(
        records.map((record) => ({
          id: record.id,
          heading: heading(record, names.filter((name) => name === record.preferred).length > 1),
        })),
      );
    }),
  );
  return router;
}

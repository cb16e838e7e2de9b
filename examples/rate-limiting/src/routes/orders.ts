import { Router } from "express";

import { Problem } from "../http/problem";
import { run } from "../http/run";
import { OrderService, type OrderRequest } from "../orders/order-service";
import { OrderStore } from "../orders/order-store";
import type { RouteContext } from "./index";

/** Endpoints for placing and following orders. */
export function orderRoutes(context: RouteContext): Router {
  const store = new OrderStore(context.database);
  const service = new OrderService(store, context.clock);
  const router = Router();

  router.post(
    "/",
    run(async (request, response) => {
      const placed = await service.place(request.body as OrderRequest);
      response.status(201).location(`/v2/orders/${placed.id}`).json(placed);
    }),
  );

  router.get(
    "/:id",
    run(async (request, response) => {
      const order = await store.byId(request.params.id!);
      if (order === null) throw Problem.notFound("This order");
      response.json(order);
    }),
  );

  router.post(
    "/:id/cancel",
    run(async (request, response) => {
      response.json(await service.cancel(request.params.id!));
    }),
  );
  return router;
}

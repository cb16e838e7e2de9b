import { Router } from "express";

import { parsePage } from "../catalog/pagination";
import { ProductStore } from "../catalog/product-store";
import { Reviews } from "../catalog/reviews";
import { Problem } from "../http/problem";
import { run } from "../http/run";
import type { RouteContext } from "./index";

/** Endpoints of the product resource. */
export function productRoutes(context: RouteContext): Router {
  const products = new ProductStore(context.database);
  const reviews = new Reviews(context.database);
  const router = Router();

  router.get(
    "/",
    run(async (request, response) => {
      const page = parsePage(request.query);
      const found = await products.search(String(request.query.q ?? ""), page);
      response.json({ items: found.items, next: found.next });
    }),
  );

  router.get(
    "/:sku",
    run(async (request, response) => {
      const product = await products.bySku(request.params.sku!);
      if (product === null) throw Problem.notFound("This product");
      response.json({ ...product, stars: await reviews.averageStars(product.sku) });
    }),
  );

  router.post(
    "/:sku/reviews",
    run(async (request, response) => {
      const { stars, text } = request.body as { stars: number; text: string };
      await reviews.write(request.params.sku!, stars, text);
      response.status(201).end();
    }),
  );
  return router;
}

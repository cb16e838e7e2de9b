import type { Router } from "express";
import type { Pool } from "pg";

import type { Settings } from "../config/load";
import type { Clock } from "../lib/clock";
import type { Logger } from "../lib/logger";
import { currencyRoutes } from "./currency";
import { orderRoutes } from "./orders";
import { partnerRoutes } from "./partners";
import { pictureRoutes } from "./pictures";
import { productRoutes } from "./products";

export interface RouteContext {
  readonly database: Pool;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** All public resources. The version prefix is part of the path, not of the routers. */
export function mountRoutes(mount: (path: string, router: Router) => void, context: RouteContext): void {
  mount("/v2/products", productRoutes(context));
  mount("/v2/orders", orderRoutes(context));
  mount("/v2/currency", currencyRoutes(context));
  mount("/v2/pictures", pictureRoutes(context));
  mount("/partners/v1", partnerRoutes(context));
}

import express, { type Express } from "express";

import { errorPage } from "./middleware/error-page";
import { requireAuth } from "./middleware/require-auth";
import { requireDesk } from "./middleware/require-desk";
import { catalogueRoutes } from "./routes/catalogue";
import { frontDoorRoutes } from "./routes/front-door";
import { holdRoutes } from "./routes/holds";
import { loanRoutes } from "./routes/loans";
import { reportRoutes } from "./routes/reports";
import type { Services } from "./services";

/** Anybody may look things up; borrowing needs a member, reports need a desk. */
export function buildApp(services: Services): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json());

  app.use("/catalogue", catalogueRoutes(services));
  app.use("/door", frontDoorRoutes(services));

  const member = requireAuth(services);
  app.use("/loans", member, loanRoutes(services));
  app.use("/holds", member, holdRoutes(services));
  app.use("/reports", member, requireDesk(), reportRoutes(services));

  app.use(errorPage());
  return app;
}

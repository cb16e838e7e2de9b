import { Router } from "express";

import { CityReports, toCsv } from "../reports/city-report";
import type { Services } from "../services";
import { DeskError } from "../shared/desk-error";
import { handle } from "./handle";

/** Figures for the city, staff only. */
export function reportRoutes(services: Services): Router {
  const reports = new CityReports(services.get("database"));
  const router = Router();
  router.get(
    "/city/:month",
    handle(async (request, response) => {
      const month = request.params.month!;
      if (!/^\d{4}-\d{2}$/.test(month)) throw new DeskError(422, "month", "Write months as 2024-05.");
      response.type("text/csv").send(toCsv(await reports.month(month)));
    }),
  );
  return router;
}

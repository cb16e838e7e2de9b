import express, { type Express } from "express";

import type { Container } from "./container";
import { errorMapper } from "./http/errors";
import { requestLog } from "./http/request-log";
import { buildRouter } from "./http/router";

/** Puts the HTTP layers together; the order of the lines is the order in which they run. */
export function buildApp(container: Container): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", 1);

  app.use(requestLog(container.logger, container.clock));
  app.use(express.json({ limit: "256kb" }));

  app.get("/healthz", (_request, response) => {
    response.json({ status: "ok", version: process.env.npm_package_version ?? "dev" });
  });

  app.use("/v1", buildRouter(container));
  app.use(errorMapper(container.logger));
  return app;
}

import { createServer } from "node:http";
import { Pool } from "pg";

import { steps } from "./bootstrap/steps";
import type { Settings } from "./config/load";
import { ExpressRouterSetup } from "./http/router-setup";
import { systemClock } from "./lib/clock";
import type { Logger } from "./lib/logger";
import { mountRoutes } from "./routes";

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Builds everything and resolves once connections are accepted. */
export async function startServer(settings: Settings, logger: Logger): Promise<RunningServer> {
  const database = new Pool({ connectionString: settings.databaseUrl, max: settings.poolSize });
  const setup = new ExpressRouterSetup();

  for (const step of steps) {
    await step.run({ settings, logger, setup, database, clock: systemClock });
    logger.debug("bootstrap step done", { step: step.name });
  }
  mountRoutes((path, router) => setup.mountRouter(path, router), {
    database,
    settings,
    logger,
    clock: systemClock,
  });
  setup.seal();

  const server = createServer(setup.application);
  await new Promise<void>((resolve) => server.listen(settings.port, resolve));
  logger.info("listening", { port: settings.port });

  return {
    port: settings.port,
    stop: async () => {
      await new Promise<void>((resolve, reject) =>
        server.close((error) => (error ? reject(error) : resolve())),
      );
      await database.end();
    },
  };
}

import { buildApp } from "./app";
import { loadConfig } from "./config";
import { createContainer } from "./container";

/**
 * Process entry point. Everything interesting happens in the container; this
 * file only starts the HTTP listener and shuts down in the right order.
 */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const container = createContainer(config);
  const app = buildApp(container);

  const server = app.listen(config.port, () => {
    container.logger.info("listening", { port: config.port });
  });
  container.scheduler.start();

  const shutdown = (signal: string): void => {
    container.logger.info("shutting down", { signal });
    container.scheduler.stop();
    // Stop accepting connections first, so that requests in flight still have
    // a database to talk to.
    server.close(() => {
      void container.database.end().then(() => process.exit(0));
    });
    // A stuck keep-alive connection must not hold up a deployment.
    setTimeout(() => process.exit(1), config.shutdownGraceMs).unref();
  };
  process.once("SIGTERM", () => shutdown("SIGTERM"));
  process.once("SIGINT", () => shutdown("SIGINT"));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

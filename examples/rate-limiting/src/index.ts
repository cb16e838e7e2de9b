import { loadSettings } from "./config/load";
import { createLogger } from "./lib/logger";
import { startServer } from "./server";

async function main(): Promise<void> {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings.logLevel);
  const server = await startServer(settings, logger);

  const stop = (signal: string): void => {
    logger.info("stopping", { signal });
    server
      .stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.error("stopping failed", { error: String(error) });
        process.exit(1);
      });
  };
  process.once("SIGINT", () => stop("SIGINT"));
  process.once("SIGTERM", () => stop("SIGTERM"));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

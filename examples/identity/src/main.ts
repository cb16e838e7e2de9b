import { createServer } from "node:http";

import { buildApp } from "./app";
import { bootstrap } from "./bootstrap";
import { loadSettings } from "./settings";

async function main(): Promise<void> {
  const settings = loadSettings(process.env);
  const services = bootstrap(settings);
  const server = createServer(buildApp(services));
  server.listen(settings.port, () => console.log(`lending desk on port ${settings.port}`));

  process.once("SIGTERM", () => {
    server.close(() => {
      void services.get("database").end();
    });
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

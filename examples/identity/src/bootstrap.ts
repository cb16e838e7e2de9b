import { Pool } from "pg";

import { registerCatalogue } from "./catalogue";
import { registerCirculation } from "./circulation";
import { registerIdentity } from "./identity";
import { registerMembers } from "./members";
import { Services } from "./services";
import type { Settings } from "./settings";

/** Registers everything; nothing is built before somebody asks for it. */
export function bootstrap(settings: Settings): Services {
  const services = new Services()
    .register("settings", () => settings)
    .register("database", () => new Pool({ connectionString: settings.databaseUrl }));
  registerCatalogue(services);
  registerMembers(services);
  registerCirculation(services);
  registerIdentity(services);
  return services;
}

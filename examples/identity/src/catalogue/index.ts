import type { Services } from "../services";
import { AuthorityFile } from "./authors";
import { WorkIndex } from "./work-index";

declare module "../services" {
  interface ServiceMap {
    works: WorkIndex;
    authorities: AuthorityFile;
  }
}

export function registerCatalogue(services: Services): void {
  services.register("works", (all) => new WorkIndex(all.get("database")));
  services.register("authorities", (all) => new AuthorityFile(all.get("database")));
}

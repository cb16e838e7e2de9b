import type { Services } from "../services";
import { HoldQueue } from "./hold-queue";
import { LoanFlow } from "./loan-flow";

declare module "../services" {
  interface ServiceMap {
    holds: HoldQueue;
    loans: LoanFlow;
  }
}

export function registerCirculation(services: Services): void {
  services.register("holds", (all) => new HoldQueue(all.get("database")));
  services.register(
    "loans",
    (all) =>
      new LoanFlow(
        all.get("database"),
        all.get("works"),
        all.get("members"),
        all.get("holds"),
        all.get("settings").branchTimezone,
      ),
  );
}

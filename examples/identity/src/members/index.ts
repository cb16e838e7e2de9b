import type { Services } from "../services";
import { MemberBook } from "./member-book";

declare module "../services" {
  interface ServiceMap {
    members: MemberBook;
  }
}

export function registerMembers(services: Services): void {
  services.register("members", (all) => new MemberBook(all.get("database")));
}

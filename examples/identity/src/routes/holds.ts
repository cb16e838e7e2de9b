import { Router } from "express";

import type { Services } from "../services";
import { handle, memberIdOf } from "./handle";

/** A member's place in the queue for a work. */
export function holdRoutes(services: Services): Router {
  const router = Router();
  router.post(
    "/",
    handle(async (request, response) => {
      const { workId, branch } = request.body as { workId: string; branch?: string };
      const memberId = memberIdOf(request);
      const member = await services.get("members").byId(memberId);
      const hold = await services.get("holds").place(workId, memberId, branch ?? member.homeBranch);
      response.status(201).json(hold);
    }),
  );
  router.delete(
    "/:id",
    handle(async (request, response) => {
      await services.get("holds").withdraw(request.params.id!, memberIdOf(request));
      response.status(204).end();
    }),
  );
  return router;
}

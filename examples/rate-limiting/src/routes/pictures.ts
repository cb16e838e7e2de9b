import { Router } from "express";

import { run } from "../http/run";
import { PictureFolder } from "../uploads/picture-folder";
import { checkPicture } from "../uploads/upload-policy";
import type { RouteContext } from "./index";

/** Product pictures. They are sent as the raw request body, without a form around them. */
export function pictureRoutes(context: RouteContext): Router {
  const folder = new PictureFolder(context.settings.pictureFolder);
  const router = Router();

  router.put(
    "/:sku",
    run(async (request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of request) {
        bytes += (chunk as Buffer).length;
        if (bytes > context.settings.pictureMaxBytes) break;
        chunks.push(chunk as Buffer);
      }
      const kind = checkPicture(Buffer.concat(chunks), bytes, context.settings.pictureMaxBytes);
      const name = await folder.keep(request.params.sku!, kind, Buffer.concat(chunks));
      response.status(201).json({ name });
    }),
  );
  return router;
}

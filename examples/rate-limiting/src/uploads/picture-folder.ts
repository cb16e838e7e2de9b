import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { PictureKind } from "./upload-policy";

/**
 * Pictures on disk, named by their content. Writing the same picture twice
 * yields the same name, and a half-written one is never visible.
 */
export class PictureFolder {
  constructor(private readonly root: string) {}

  async keep(sku: string, kind: PictureKind, picture: Buffer): Promise<string> {
    const digest = createHash("sha256").update(picture).digest("hex").slice(0, 20);
    const name = `${safe(sku)}-${digest}.${kind}`;
    const folder = join(this.root, digest.slice(0, 2));
    const temporary = join(this.root, "tmp", name);
    await mkdir(folder, { recursive: true });
    await mkdir(join(this.root, "tmp"), { recursive: true });
    await writeFile(temporary, picture);
    await rename(temporary, join(folder, name));
    return name;
  }
}

function safe(sku: string): string {
  return sku.replace(/[^\w-]/g, "_");
}

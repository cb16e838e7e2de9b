import express, { type Express, type RequestHandler, type Router } from "express";

import { problemResponder } from "./problem";

export type PipelineName = "global" | "partners";

declare global {
  /**
   * The seam between Express and the rest. Ambient, because nearly every folder
   * takes one as a parameter and none of them should depend on this one.
   */
  interface RouterSetup {
    /** Puts handlers on a named pipeline. Fails once the first router is mounted. */
    mountPipeline(name: PipelineName, handlers: readonly RequestHandler[]): void;
    /** Hangs a router below a path. Routers below /partners get the partners pipeline too. */
    mountRouter(path: string, router: Router): void;
  }
}

/**
 * Owns the Express application and the order in which things are put on it:
 * health check, global pipeline, body parser, routers, and the responder for
 * problems at the very end. Express runs in order of registration, so most
 * mistakes here show up as handlers that are silently never called; hence the
 * strictness.
 */
export class ExpressRouterSetup implements RouterSetup {
  readonly application: Express = express();
  private readonly pipelines = new Map<PipelineName, RequestHandler[]>();
  private readonly routers: string[] = [];
  private sealed = false;

  constructor() {
    this.application.disable("x-powered-by");
    this.application.set("trust proxy", 1);
    this.application.get("/healthz", (_request, response) => {
      response.json({ status: "ok" });
    });
  }

  mountPipeline(name: PipelineName, handlers: readonly RequestHandler[]): void {
    if (this.routers.length > 0) {
      throw new Error(`pipeline ${name} comes too late: ${this.routers[0]} is already mounted`);
    }
    this.pipelines.set(name, [...(this.pipelines.get(name) ?? []), ...handlers]);
  }

  mountRouter(path: string, router: Router): void {
    if (this.sealed) throw new Error(`router ${path} comes after the setup was sealed`);
    if (this.routers.includes(path)) throw new Error(`router ${path} is mounted twice`);
    if (this.routers.length === 0) this.startPipelines();
    const extra = path.startsWith("/partners") ? this.pipelines.get("partners") ?? [] : [];
    this.application.use(path, ...extra, router);
    this.routers.push(path);
  }

  /** Nothing can be mounted afterwards. */
  seal(): void {
    if (this.sealed) return;
    this.sealed = true;
    this.application.use((_request, response) => {
      response.status(404).json({ type: "not_found", detail: "There is nothing here." });
    });
    this.application.use(problemResponder());
  }

  private startPipelines(): void {
    for (const handler of this.pipelines.get("global") ?? []) {
      this.application.use(handler);
    }
    this.application.use(express.json());
  }
}

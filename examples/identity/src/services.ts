import type { Pool } from "pg";

import type { Settings } from "./settings";

/**
 * Names of the services and their types. Each folder extends this interface for
 * what it offers (see "module augmentation" in the TypeScript handbook), so that
 * this file does not depend on all of them.
 */
export interface ServiceMap {
  settings: Settings;
  database: Pool;
}

type Factory<T> = (services: Services) => T;

/** Builds services when they are first asked for, and once only. */
export class Services {
  private readonly factories = new Map<keyof ServiceMap, Factory<unknown>>();
  private readonly built = new Map<keyof ServiceMap, unknown>();
  private readonly building = new Set<keyof ServiceMap>();

  register<K extends keyof ServiceMap>(name: K, factory: Factory<ServiceMap[K]>): this {
    if (this.factories.has(name)) throw new Error(`service ${name} is registered twice`);
    this.factories.set(name, factory);
    return this;
  }

  get<K extends keyof ServiceMap>(name: K): ServiceMap[K] {
    if (!this.built.has(name)) this.built.set(name, this.build(name));
    return this.built.get(name) as ServiceMap[K];
  }

  private build(name: keyof ServiceMap): unknown {
    const factory = this.factories.get(name);
    if (factory === undefined) throw new Error(`service ${name} is not registered`);
    if (this.building.has(name)) throw new Error(`service ${name} needs itself`);
    this.building.add(name);
    try {
      return factory(this);
    } finally {
      this.building.delete(name);
    }
  }
}

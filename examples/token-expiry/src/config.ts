/** Settings of the service, read once at start. */
export interface Config {
  readonly port: number;
  readonly databaseUrl: string;
  readonly signingKey: string;
  readonly issuer: string;
  readonly accessTtlSeconds: number;
  readonly grantTtlSeconds: number;
  readonly clockSkewSeconds: number;
  readonly mailFrom: string;
  readonly shutdownGraceMs: number;
  readonly flagReloadMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

function required(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") {
    throw new Error(`missing setting ${name}`);
  }
  return value;
}

function integer(env: Environment, name: string, fallback: number): number {
  const raw = env[name];
  if (raw === undefined) return fallback;
  const value = Number(raw);
  if (!Number.isInteger(value) || value < 0) {
    throw new Error(`setting ${name} is not a whole number: ${raw}`);
  }
  return value;
}

export function loadConfig(env: Environment): Config {
  return {
    port: integer(env, "PORT", 8080),
    databaseUrl: required(env, "DATABASE_URL"),
    signingKey: required(env, "SIGNING_KEY"),
    issuer: env.ISSUER ?? "https://accounts.harborline.example",
    accessTtlSeconds: integer(env, "ACCESS_TTL_SECONDS", 15 * 60),
    grantTtlSeconds: integer(env, "GRANT_TTL_SECONDS", 30 * 24 * 60 * 60),
    clockSkewSeconds: integer(env, "CLOCK_SKEW_SECONDS", 30),
    mailFrom: env.MAIL_FROM ?? "no-reply@harborline.example",
    shutdownGraceMs: integer(env, "SHUTDOWN_GRACE_MS", 10_000),
    flagReloadMs: integer(env, "FLAG_RELOAD_MS", 60_000),
  };
}

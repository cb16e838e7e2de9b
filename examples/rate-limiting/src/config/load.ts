import { DEFAULTS } from "./defaults";

export interface Settings {
  readonly port: number;
  readonly logLevel: string;
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly throttle: {
    readonly enabled: boolean;
    readonly windowMs: number;
    readonly burst: number;
  };
  readonly quotationMaxAgeMs: number;
  readonly pictureMaxBytes: number;
  readonly pictureFolder: string;
  readonly partnerUrl: string;
  readonly partnerKey: string;
  readonly partnerTimeoutMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

function whole(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new Error(`${name} must be a whole number, not ${JSON.stringify(text)}`);
  }
  return value;
}

function must(env: Environment, name: string): string {
  const text = env[name];
  if (text === undefined || text === "") throw new Error(`${name} is not set`);
  return text;
}

export function loadSettings(env: Environment): Settings {
  return {
    ...DEFAULTS,
    port: whole(env, "PORT", DEFAULTS.port),
    logLevel: env.LOG_LEVEL ?? DEFAULTS.logLevel,
    databaseUrl: must(env, "DATABASE_URL"),
    poolSize: whole(env, "POOL_SIZE", DEFAULTS.poolSize),
    throttle: {
      ...DEFAULTS.throttle,
      enabled: env.THROTTLE === "on",
      burst: whole(env, "THROTTLE_BURST", DEFAULTS.throttle.burst),
    },
    pictureFolder: env.PICTURE_FOLDER ?? DEFAULTS.pictureFolder,
    partnerUrl: env.PARTNER_URL ?? DEFAULTS.partnerUrl,
    partnerKey: must(env, "PARTNER_KEY"),
  };
}

/** Settings, read once at start. */
export interface Settings {
  readonly port: number;
  readonly databaseUrl: string;
  /** Signs what is handed to members; 32 bytes in hex. */
  readonly sealKey: string;
  /** How long a member is remembered on a private device, in days. */
  readonly rememberDays: number;
  readonly branchTimezone: string;
  readonly noticeSender: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

function required(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set`);
  return value;
}

export function loadSettings(env: Environment): Settings {
  const sealKey = required(env, "SEAL_KEY");
  if (!/^[0-9a-f]{64}$/i.test(sealKey)) throw new Error("SEAL_KEY must be 32 bytes in hex");
  return {
    port: Number(env.PORT ?? 4000),
    databaseUrl: required(env, "DATABASE_URL"),
    sealKey,
    rememberDays: Number(env.REMEMBER_DAYS ?? 60),
    branchTimezone: env.BRANCH_TIMEZONE ?? "Europe/Berlin",
    noticeSender: env.NOTICE_SENDER ?? "library@city.example",
  };
}

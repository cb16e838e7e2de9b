export type Fields = Readonly<Record<string, unknown>>;

export interface Logger {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

type Level = "info" | "warn" | "error";

/** JSON lines on stdout; the platform collects and indexes them. */
export function createLogger(service: string): Logger {
  const write = (level: Level, message: string, fields: Fields = {}): void => {
    const line = { time: new Date().toISOString(), level, service, message, ...fields };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  return {
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
  };
}

/** Swallows everything. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

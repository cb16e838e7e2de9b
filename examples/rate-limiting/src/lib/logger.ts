export type Fields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const ORDER = ["debug", "info", "warn", "error"] as const;
type Level = (typeof ORDER)[number];

/** One JSON object a line. Unknown level names mean `info`. */
export function createLogger(minimum: string): Logger {
  const from = Math.max(0, ORDER.indexOf(minimum as Level));
  const write = (level: Level, message: string, fields: Fields = {}): void => {
    if (ORDER.indexOf(level) < from) return;
    process.stdout.write(
      `${JSON.stringify({ at: new Date().toISOString(), level, message, ...fields })}\n`,
    );
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
  };
}

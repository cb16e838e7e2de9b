/** An error with a status and a code that clients may rely on. */
export class DeskError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "DeskError";
  }

  static missing(what: string): DeskError {
    return new DeskError(404, "missing", `${what} is not in our books.`);
  }
}

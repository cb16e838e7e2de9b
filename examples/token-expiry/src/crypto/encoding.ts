/** Base64 in the URL-safe alphabet, without padding. */
export function base64UrlEncode(value: string | Buffer): string {
  return Buffer.from(value).toString("base64url");
}

/** Returns null instead of a shortened buffer when the text is not base64url. */
export function base64UrlDecode(text: string): Buffer | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  return Buffer.from(text, "base64url");
}

import { Problem } from "../http/problem";

export type PictureKind = "jpeg" | "png" | "webp";

const SIGNATURES: readonly { readonly kind: PictureKind; readonly at: number; readonly bytes: string }[] = [
  { kind: "jpeg", at: 0, bytes: "ffd8ff" },
  { kind: "png", at: 0, bytes: "89504e470d0a1a0a" },
  { kind: "webp", at: 8, bytes: "57454250" },
];

/** Looks at the first bytes; the content type that the client sent is not believed. */
export function sniff(picture: Buffer): PictureKind | null {
  for (const { kind, at, bytes } of SIGNATURES) {
    const wanted = Buffer.from(bytes, "hex");
    if (picture.subarray(at, at + wanted.length).equals(wanted)) return kind;
  }
  return null;
}

/** Checks size limit and kind of an upload. The size limit is inclusive. */
export function checkPicture(picture: Buffer, bytes: number, sizeLimit: number): PictureKind {
  if (bytes > sizeLimit) {
    throw new Problem(413, "picture_too_large", `The limit is ${Math.floor(sizeLimit / 1024)} kB.`);
  }
  const kind = sniff(picture);
  if (kind === null) {
    throw new Problem(415, "picture_kind", "Only JPEG, PNG and WebP pictures are accepted.");
  }
  return kind;
}

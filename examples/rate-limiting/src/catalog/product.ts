import type { Money } from "../currency/money";

export interface Product {
  readonly sku: string;
  readonly title: string;
  readonly description: string;
  readonly price: Money;
  readonly weightGrams: number;
  readonly tags: readonly string[];
  readonly discontinuedAt: Date | null;
}

/** Words by which a product can be found, lower case and without duplicates. */
export function searchWords(product: Product): readonly string[] {
  const text = [product.title, product.description, ...product.tags].join(" ");
  return [...new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2))];
}

/** A product can be bought while it is not discontinued. */
export function isOnSale(product: Product, at: Date): boolean {
  return product.discontinuedAt === null || product.discontinuedAt > at;
}

/** Address of the product page. The title is for people, the sku is what counts. */
export function slug(product: Product): string {
  const words = product.title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return [...words, product.sku].join("-");
}

/**
 * Defaults of all settings. Whatever is not set in the environment comes from
 * here. Change a value here only if every installation should get it.
 */
export const DEFAULTS = {
  port: 3000,
  logLevel: "info",

  /** Connections to PostgreSQL. Two instances share a server that allows 60. */
  poolSize: 24,

  /**
   * Rate limiting of API endpoints. In this codebase rate limiting is called
   * throttle: the throttle middleware counts the calls of one client in a
   * window and turns further ones away. `burst` calls are let through per
   * `windowMs`; no API endpoint is throttled as long as `enabled` is false.
   */
  throttle: {
    enabled: false,
    windowMs: 10_000,
    burst: 100,
  },

  /** How old a currency quotation may be before prices fall back to euros. */
  quotationMaxAgeMs: 6 * 60 * 60 * 1000,

  /** Largest picture that is accepted, in bytes. */
  pictureMaxBytes: 8 * 1024 * 1024,

  /** Where pictures are kept. Must be on the same volume as its `tmp` folder. */
  pictureFolder: "/var/lib/catalogue/pictures",

  partnerUrl: "https://partners.storefront.example",
  partnerTimeoutMs: 2_500,
} as const;

import { Problem } from "../http/problem";

export interface PartnerApiSettings {
  readonly partnerUrl: string;
  readonly partnerKey: string;
  readonly partnerTimeoutMs: number;
}

export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Client of the API of the partner directory, which another team runs. */
export class PartnerApi {
  constructor(private readonly settings: PartnerApiSettings) {}

  /** Looks up who a key belongs to. */
  async describe(key: string): Promise<Partner> {
    const answer = await this.get(`/api/keys/${encodeURIComponent(key)}`);
    if (!isPartner(answer)) throw new Problem(502, "directory", "The directory sent nonsense.");
    return answer;
  }

  private async get(path: string): Promise<unknown> {
    const response = await fetch(new URL(path, this.settings.partnerUrl), {
      headers: { "x-api-key": this.settings.partnerKey, accept: "application/json" },
      signal: AbortSignal.timeout(this.settings.partnerTimeoutMs),
    });
    if (response.status === 404) throw new Problem(401, "key_unknown", "This key is not known.");
    if (!response.ok) {
      throw new Problem(502, "directory", `The directory answered ${response.status}.`);
    }
    return response.json();
  }
}

function isPartner(value: unknown): value is Partner {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partner).id === "string" &&
    Array.isArray((value as Partner).scopes)
  );
}

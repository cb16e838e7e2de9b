import { Router } from "express";

import { ExchangeRates } from "../currency/exchange-rates";
import { formatMoney } from "../currency/money";
import { Problem } from "../http/problem";
import { run } from "../http/run";
import type { RouteContext } from "./index";

/** Public endpoint of the currency converter on the product page. */
export function currencyRoutes(context: RouteContext): Router {
  const rates = new ExchangeRates(context.database, context.clock, context.settings.quotationMaxAgeMs);
  const router = Router();

  router.get(
    "/convert",
    run(async (request, response) => {
      const { amount, from, to } = request.query as Record<string, string>;
      const minor = Number(amount);
      if (!Number.isSafeInteger(minor) || from === undefined || to === undefined) {
        throw Problem.invalid("Give amount (minor units), from and to.");
      }
      const converted = await rates.convert({ minor, currency: from }, to);
      if (converted === null) throw Problem.invalid("There is no fresh exchange rate for this pair.");
      response.json({ ...converted, text: formatMoney(converted, "en") });
    }),
  );
  return router;
}

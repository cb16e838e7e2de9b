import { type Money, plus, sum, times } from "../currency/money";
import { Problem } from "../http/problem";
import type { Clock } from "../lib/clock";
import type { Order, OrderLine, OrderStore } from "./order-store";
import { shippingPrice } from "./shipping-rates";

export interface OrderRequest {
  readonly customerId: string;
  readonly country: string;
  readonly lines: readonly OrderLine[];
}

/** Orders can be cancelled for half an hour, then the warehouse has them. */
const CANCEL_WITHIN_MS = 30 * 60 * 1000;

export class OrderService {
  constructor(
    private readonly store: OrderStore,
    private readonly clock: Clock,
  ) {}

  async place(request: OrderRequest): Promise<Order> {
    if (request.lines.length === 0) throw Problem.invalid("An order needs at least one line.");
    const goods = this.goods(request.lines);
    const grams = request.lines.reduce((total, line) => total + line.quantity * line.weightGrams, 0);
    const shipping = shippingPrice(request.country, grams, goods);
    return this.store.insert({
      customerId: request.customerId,
      lines: request.lines,
      goods,
      shipping,
      total: plus(goods, shipping),
      placedAt: new Date(this.clock.now()),
      cancelledAt: null,
    });
  }

  async cancel(id: string): Promise<Order> {
    const order = await this.store.byId(id);
    if (order === null) throw Problem.notFound("This order");
    if (order.cancelledAt !== null) return order;
    if (this.clock.now() - order.placedAt.getTime() > CANCEL_WITHIN_MS) {
      throw new Problem(409, "too_late", "The warehouse is already packing this order.");
    }
    return this.store.cancel(id, new Date(this.clock.now()));
  }

  private goods(lines: readonly OrderLine[]): Money {
    const currency = lines[0]!.price.currency;
    return sum(lines.map((line) => times(line.price, line.quantity)), currency);
  }
}

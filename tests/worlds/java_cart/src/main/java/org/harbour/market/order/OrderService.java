package org.harbour.market.order;

import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.harbour.market.basket.Basket;
import org.harbour.market.basket.BasketService;
import org.harbour.market.customer.Customer;
import org.harbour.market.delivery.TourPlanner;
import org.harbour.market.payment.Till;
import org.harbour.market.pricing.DiscountRules;
import org.harbour.market.pricing.Money;

/** Turns a full basket into an order: price, payment, a place on a tour. */
public class OrderService {

    private final Map<String, Order> orders = new ConcurrentHashMap<>();
    private final BasketService baskets;
    private final TourPlanner tours;
    private final Till till;
    private final DiscountRules discounts;
    private final Clock clock;

    public OrderService(
            BasketService baskets, TourPlanner tours, Till till, DiscountRules discounts, Clock clock) {
        this.baskets = baskets;
        this.tours = tours;
        this.till = till;
        this.discounts = discounts;
        this.clock = clock;
    }

    /** The place on the tour is taken first, since it is what runs out first. */
    public Order place(String basketId, Customer buyer, LocalDateTime tourStart, String paymentMethod) {
        Basket basket = baskets.claim(basketId, buyer.id());
        if (basket.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to order");
        }
        String orderId = UUID.randomUUID().toString();
        Money goods = basket.sum();
        Money discount = discounts.on(goods, buyer, LocalDate.now(clock));
        Money total = goods.minus(discount);

        tours.book(buyer.defaultAddress().district(), tourStart, false, orderId);
        try {
            till.take(orderId, total, paymentMethod);
        } catch (Till.Declined declined) {
            tours.unbook(orderId);
            throw declined;
        }
        baskets.consume(basket);
        Order order = new Order(
                orderId,
                buyer.id(),
                basket.lines().stream()
                        .map(line -> new Order.Line(
                                line.goodsId(), line.title(), line.quantity(), line.price()))
                        .toList(),
                goods,
                discount,
                total,
                tourStart,
                clock.instant(),
                Order.State.PLACED);
        orders.put(orderId, order);
        return order;
    }

    public Order cancel(String orderId) {
        Order cancelled = get(orderId).in(Order.State.CANCELLED);
        tours.unbook(orderId);
        till.giveBack(orderId, cancelled.total());
        orders.put(orderId, cancelled);
        return cancelled;
    }

    public Order get(String orderId) {
        Order order = orders.get(orderId);
        if (order == null) {
            throw new NoSuchElementException("order " + orderId);
        }
        return order;
    }
}

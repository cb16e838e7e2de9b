package org.harbour.market;

import java.time.Clock;

import org.harbour.market.basket.BasketRepository;
import org.harbour.market.basket.BasketService;
import org.harbour.market.catalog.Catalog;
import org.harbour.market.customer.CustomerBook;
import org.harbour.market.delivery.TourPlanner;
import org.harbour.market.order.OrderService;
import org.harbour.market.payment.Till;
import org.harbour.market.pricing.DiscountRules;
import org.harbour.market.stock.Stock;

/** Everything there is one of. */
public record Parts(
        Catalog catalog,
        Stock stock,
        CustomerBook customers,
        BasketService baskets,
        TourPlanner tours,
        OrderService orders,
        Clock clock) {

    public static Parts assemble(Clock clock) {
        Catalog catalog = new Catalog();
        Stock stock = new Stock();
        CustomerBook customers = new CustomerBook();
        BasketService baskets = new BasketService(new BasketRepository(), catalog, stock, clock);
        TourPlanner tours = new TourPlanner(clock);
        OrderService orders =
                new OrderService(baskets, tours, new Till(), DiscountRules.standard(), clock);
        return new Parts(catalog, stock, customers, baskets, tours, orders, clock);
    }

    /** What has to be tidied up now and then. */
    public Runnable cleaning() {
        return () -> {
            baskets.clearAbandoned();
            tours.forgetPast();
        };
    }
}

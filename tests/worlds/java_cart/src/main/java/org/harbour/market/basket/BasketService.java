package org.harbour.market.basket;

import java.time.Clock;
import java.util.UUID;

import org.harbour.market.catalog.Catalog;
import org.harbour.market.catalog.Goods;
import org.harbour.market.stock.Stock;

/** Everything that happens to baskets. Goods in a basket are reserved in the stock. */
public class BasketService {

    private final BasketRepository baskets;
    private final Catalog catalog;
    private final Stock stock;
    private final Clock clock;

    public BasketService(BasketRepository baskets, Catalog catalog, Stock stock, Clock clock) {
        this.baskets = baskets;
        this.catalog = catalog;
        this.stock = stock;
        this.clock = clock;
    }

    /** The basket with this id, or a new one when there is none (any more). */
    public Basket open(String id) {
        return baskets.find(id).orElseGet(() -> {
            Basket fresh = new Basket(UUID.randomUUID().toString(), clock.instant());
            baskets.save(fresh);
            return fresh;
        });
    }

    public Basket put(String basketId, String goodsId, int quantity) {
        Basket basket = open(basketId);
        Goods goods = catalog.onSaleToday(goodsId, clock);
        stock.reserve(goodsId, quantity);
        basket.put(new BasketLine(goodsId, goods.title(), quantity, goods.price()), clock.instant());
        return basket;
    }

    public Basket take(String basketId, String goodsId) {
        Basket basket = open(basketId);
        basket.take(goodsId, clock.instant())
                .ifPresent(line -> stock.release(goodsId, line.quantity()));
        return basket;
    }

    /**
     * Called when somebody has told us who they are. A basket of theirs from
     * another browser is poured into this one.
     */
    public Basket claim(String basketId, String personId) {
        Basket basket = open(basketId);
        baskets.findByOwner(personId)
                .filter(other -> !other.id().equals(basket.id()))
                .ifPresent(other -> {
                    other.lines().forEach(line -> basket.put(line, clock.instant()));
                    baskets.remove(other);
                });
        basket.ownedBy(personId, clock.instant());
        return basket;
    }

    /** The goods were bought: they leave the stock, and the basket is gone. */
    public void consume(Basket basket) {
        basket.lines().forEach(line -> stock.consume(line.goodsId(), line.quantity()));
        baskets.remove(basket);
    }

    /** What nobody wants any more goes back to the stalls. */
    public void clearAbandoned() {
        for (Basket basket : baskets.abandoned(clock.instant())) {
            basket.lines().forEach(line -> stock.release(line.goodsId(), line.quantity()));
            baskets.remove(basket);
        }
    }
}

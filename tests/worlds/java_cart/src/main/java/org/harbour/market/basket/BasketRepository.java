package org.harbour.market.basket;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Baskets in memory. They are worth nothing after a restart: the market opens
 * anew every day, and so does the server.
 */
public class BasketRepository {

    private final Map<String, Basket> byId = new ConcurrentHashMap<>();

    public Optional<Basket> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** The basket of a person, when there is one that has been claimed. */
    public Optional<Basket> findByOwner(String personId) {
        return byId.values().stream()
                .filter(basket -> basket.ownerId().filter(personId::equals).isPresent())
                .findFirst();
    }

    public void save(Basket basket) {
        byId.put(basket.id(), basket);
    }

    public void remove(Basket basket) {
        byId.remove(basket.id());
    }

    public List<Basket> abandoned(Instant now) {
        return byId.values().stream().filter(basket -> basket.isAbandoned(now)).toList();
    }

    public int size() {
        return byId.size();
    }
}

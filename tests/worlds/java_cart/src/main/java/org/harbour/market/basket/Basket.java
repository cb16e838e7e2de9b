package org.harbour.market.basket;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.harbour.market.pricing.Money;

/**
 * What somebody is about to buy. A basket belongs to a browser at first and to a
 * person later, when that person has told us who they are.
 */
public final class Basket {

    /** A basket is abandoned after this time without a change. */
    static final Duration ABANDONED_AFTER = Duration.ofDays(2);

    private final String id;
    private final List<BasketLine> lines = new ArrayList<>();
    private String ownerId;
    private Instant touchedAt;

    public Basket(String id, Instant now) {
        this.id = Objects.requireNonNull(id);
        this.touchedAt = Objects.requireNonNull(now);
    }

    public String id() {
        return id;
    }

    public Optional<String> ownerId() {
        return Optional.ofNullable(ownerId);
    }

    public List<BasketLine> lines() {
        return List.copyOf(lines);
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    public void ownedBy(String personId, Instant now) {
        if (ownerId != null && !ownerId.equals(personId)) {
            throw new IllegalStateException("basket " + id + " belongs to somebody else");
        }
        ownerId = personId;
        touchedAt = now;
    }

    /** Puts something in. The same goods twice make one line with the sum of both. */
    public void put(BasketLine line, Instant now) {
        for (int i = 0; i < lines.size(); i++) {
            BasketLine present = lines.get(i);
            if (present.goodsId().equals(line.goodsId())) {
                lines.set(i, present.withQuantity(present.quantity() + line.quantity()));
                touchedAt = now;
                return;
            }
        }
        lines.add(line);
        touchedAt = now;
    }

    /** Takes a whole line out; empty when there was none. */
    public Optional<BasketLine> take(String goodsId, Instant now) {
        for (BasketLine line : lines) {
            if (line.goodsId().equals(goodsId)) {
                lines.remove(line);
                touchedAt = now;
                return Optional.of(line);
            }
        }
        return Optional.empty();
    }

    public Money sum() {
        return lines.stream().map(BasketLine::price).reduce(Money.ZERO, Money::plus);
    }

    public boolean isAbandoned(Instant now) {
        return touchedAt.plus(ABANDONED_AFTER).isBefore(now);
    }
}

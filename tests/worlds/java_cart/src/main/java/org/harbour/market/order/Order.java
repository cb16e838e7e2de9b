package org.harbour.market.order;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;

import org.harbour.market.pricing.Money;

/** What was bought. Orders do not change, they are replaced by a later state of themselves. */
public record Order(
        String id,
        String customerId,
        List<Line> lines,
        Money goods,
        Money discount,
        Money total,
        LocalDateTime tourStart,
        Instant placedAt,
        State state) {

    public record Line(String goodsId, String title, int quantity, Money price) {
    }

    public enum State {
        PLACED, PACKED, ON_TOUR, DELIVERED, CANCELLED;

        boolean mayBecome(State next) {
            return switch (this) {
                case PLACED -> next == PACKED || next == CANCELLED;
                case PACKED -> next == ON_TOUR || next == CANCELLED;
                case ON_TOUR -> next == DELIVERED;
                case DELIVERED, CANCELLED -> false;
            };
        }
    }

    public Order in(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("order " + id + " is " + state + " and cannot be " + next);
        }
        return new Order(
                id, customerId, lines, goods, discount, total, tourStart, placedAt, next);
    }
}

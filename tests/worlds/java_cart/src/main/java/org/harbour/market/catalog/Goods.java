package org.harbour.market.catalog;

import java.time.DayOfWeek;
import java.util.Set;

import org.harbour.market.pricing.Money;

/** Something that a stall sells. */
public record Goods(
        String id, String title, String stall, Unit unit, Money price, Set<DayOfWeek> days) {

    /** What one piece is. */
    public enum Unit {
        PIECE, BUNCH, HUNDRED_GRAMS, KILOGRAM
    }

    public Goods {
        if (title.isBlank()) {
            throw new IllegalArgumentException("goods " + id + " have no title");
        }
        days = Set.copyOf(days);
    }

    public boolean isSoldOn(DayOfWeek day) {
        return days.contains(day);
    }

    /** Fish is not brought along with flowers. */
    public boolean needsCooling() {
        return stall.startsWith("fish") || stall.startsWith("cheese");
    }
}

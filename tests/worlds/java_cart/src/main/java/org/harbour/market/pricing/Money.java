package org.harbour.market.pricing;

import java.util.Locale;

/** Euros, counted in cents. */
public record Money(long cents) implements Comparable<Money> {

    public static final Money ZERO = new Money(0);

    public static Money ofCents(long cents) {
        return new Money(cents);
    }

    public Money plus(Money other) {
        return new Money(Math.addExact(cents, other.cents));
    }

    public Money minus(Money other) {
        return new Money(Math.subtractExact(cents, other.cents));
    }

    public Money times(int factor) {
        return new Money(Math.multiplyExact(cents, (long) factor));
    }

    /** Rounds half up, in favour of the stalls. */
    public Money percent(int percent) {
        return new Money(Math.floorDiv(Math.multiplyExact(cents, (long) percent) + 50, 100L));
    }

    public boolean isMoreThan(Money other) {
        return cents > other.cents;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d.%02d €", cents / 100, Math.abs(cents % 100));
    }
}

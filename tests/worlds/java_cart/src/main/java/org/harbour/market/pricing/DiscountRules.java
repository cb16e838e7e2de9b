package org.harbour.market.pricing;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;

import org.harbour.market.customer.Customer;

/** Who pays less, and when. Only the best rule counts, they are never summed up. */
public final class DiscountRules {

    /** A reason to pay less. */
    @FunctionalInterface
    public interface Rule {
        Money on(Money goods, Customer customer, LocalDate today);
    }

    private final List<Rule> rules;

    public DiscountRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    public static DiscountRules standard() {
        return new DiscountRules(List.of(
                DiscountRules::forRegulars, DiscountRules::onQuietDays, DiscountRules::forBigOrders));
    }

    public Money on(Money goods, Customer customer, LocalDate today) {
        return rules.stream()
                .map(rule -> rule.on(goods, customer, today))
                .max(Money::compareTo)
                .orElse(Money.ZERO);
    }

    private static Money forRegulars(Money goods, Customer customer, LocalDate today) {
        return customer.isRegular(today) ? goods.percent(3) : Money.ZERO;
    }

    private static Money onQuietDays(Money goods, Customer customer, LocalDate today) {
        return today.getDayOfWeek() == DayOfWeek.TUESDAY ? goods.percent(5) : Money.ZERO;
    }

    private static Money forBigOrders(Money goods, Customer customer, LocalDate today) {
        return goods.isMoreThan(Money.ofCents(10_000)) ? Money.ofCents(700) : Money.ZERO;
    }
}

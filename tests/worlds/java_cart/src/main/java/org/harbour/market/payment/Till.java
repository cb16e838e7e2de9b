package org.harbour.market.payment;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.harbour.market.pricing.Money;

/**
 * Takes money and gives it back. Talks to the bank through one seam, so that the
 * market can be tried out without one.
 */
public class Till {

    /** The bank did not want to. */
    public static final class Declined extends RuntimeException {
        public Declined(String why) {
            super(why);
        }
    }

    /** What a bank does for us. */
    public interface Bank {
        void charge(String reference, Money amount, String method);

        void refund(String reference, Money amount);
    }

    private static final Set<String> METHODS = Set.of("card", "debit", "invoice");
    private static final Money INVOICE_UP_TO = Money.ofCents(15_000);

    private final Map<String, Money> taken = new ConcurrentHashMap<>();
    private final Bank bank;

    public Till() {
        this(new AcceptingBank());
    }

    public Till(Bank bank) {
        this.bank = bank;
    }

    /** Taking twice for one reference is the same as taking once. */
    public void take(String reference, Money amount, String method) {
        if (!METHODS.contains(method)) {
            throw new Declined("unknown method: " + method);
        }
        if (method.equals("invoice") && amount.isMoreThan(INVOICE_UP_TO)) {
            throw new Declined("too much for an invoice");
        }
        if (taken.putIfAbsent(reference, amount) != null) {
            return;
        }
        try {
            bank.charge(reference, amount, method);
        } catch (Declined declined) {
            taken.remove(reference);
            throw declined;
        }
    }

    public void giveBack(String reference, Money amount) {
        Money had = taken.getOrDefault(reference, Money.ZERO);
        if (amount.isMoreThan(had)) {
            throw new IllegalArgumentException("cannot give back more than " + had);
        }
        taken.put(reference, had.minus(amount));
        bank.refund(reference, amount);
    }

    private static final class AcceptingBank implements Bank {
        @Override
        public void charge(String reference, Money amount, String method) {
            System.out.println("charged " + amount + " for " + reference);
        }

        @Override
        public void refund(String reference, Money amount) {
            System.out.println("refunded " + amount + " for " + reference);
        }
    }
}

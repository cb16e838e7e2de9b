package org.harbour.market.customer;

import java.time.LocalDate;
import java.util.List;

/** Somebody who buys. Customers share nothing but, sometimes, an address. */
public record Customer(
        String id, String name, String email, List<Address> addresses, LocalDate since) {

    /** Where a bicycle can go. The district decides on the tour. */
    public record Address(String street, String district, String doorbell) {

        public Address {
            if (street.isBlank() || district.isBlank()) {
                throw new IllegalArgumentException("an address needs a street and a district");
            }
        }

        public String oneLine() {
            return street + ", " + district + (doorbell.isBlank() ? "" : " (" + doorbell + ")");
        }
    }

    public Customer {
        if (!email.contains("@")) {
            throw new IllegalArgumentException("not an email address: " + email);
        }
        addresses = List.copyOf(addresses);
    }

    public Address defaultAddress() {
        if (addresses.isEmpty()) {
            throw new IllegalStateException("customer " + id + " has no address");
        }
        return addresses.get(0);
    }

    /** Regulars have been with us for more than a year. */
    public boolean isRegular(LocalDate today) {
        return since.plusYears(1).isBefore(today);
    }
}

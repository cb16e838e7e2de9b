package org.harbour.market.customer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All customers. Let nobody in twice with one email address. */
public class CustomerBook {

    private final Map<String, Customer> byId = new ConcurrentHashMap<>();

    public synchronized void register(Customer customer) {
        findByEmail(customer.email()).ifPresent(known -> {
            throw new IllegalArgumentException("this email address is known already");
        });
        byId.put(customer.id(), customer);
    }

    public Customer get(String id) {
        return Optional.ofNullable(byId.get(id))
                .orElseThrow(() -> new NoSuchElementException("customer " + id));
    }

    public Optional<Customer> findByEmail(String email) {
        String wanted = fold(email);
        return byId.values().stream().filter(one -> fold(one.email()).equals(wanted)).findFirst();
    }

    /** A new address becomes the default one. */
    public synchronized Customer moved(String id, Customer.Address address) {
        Customer old = get(id);
        List<Customer.Address> addresses = new ArrayList<>();
        addresses.add(address);
        old.addresses().stream().filter(one -> !one.equals(address)).forEach(addresses::add);
        Customer moved = new Customer(id, old.name(), old.email(), addresses, old.since());
        byId.put(id, moved);
        return moved;
    }

    /** Customers of a household: those who share their default address. */
    public List<Customer> household(Customer.Address address) {
        return byId.values().stream()
                .filter(one -> !one.addresses().isEmpty())
                .filter(one -> one.defaultAddress().equals(address))
                .toList();
    }

    private static String fold(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }
}

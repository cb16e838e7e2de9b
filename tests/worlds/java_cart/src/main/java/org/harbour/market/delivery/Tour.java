package org.harbour.market.delivery;

import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/** One ride of one bicycle through one district. */
public final class Tour {

    public static final Duration LENGTH = Duration.ofMinutes(90);
    static final int STOPS = 12;

    private final String district;
    private final LocalDateTime start;
    private final boolean cooled;
    private final List<String> orderIds = new ArrayList<>();

    Tour(String district, LocalDateTime start, boolean cooled) {
        this.district = district;
        this.start = start;
        this.cooled = cooled;
    }

    public String district() {
        return district;
    }

    public LocalDateTime start() {
        return start;
    }

    public LocalDateTime end() {
        return start.plus(LENGTH);
    }

    public synchronized List<String> orderIds() {
        return List.copyOf(orderIds);
    }

    /** Orders are accepted until half an hour before the start. */
    public boolean isOpen(LocalDateTime now) {
        return now.isBefore(start.minusMinutes(30));
    }

    synchronized boolean hasRoom(boolean needsCooling) {
        return orderIds.size() < STOPS && (cooled || !needsCooling);
    }

    synchronized void join(String orderId) {
        if (orderIds.size() >= STOPS) {
            throw new IllegalStateException("the tour at " + start + " is full");
        }
        orderIds.add(orderId);
    }

    synchronized boolean leave(String orderId) {
        return orderIds.remove(orderId);
    }
}

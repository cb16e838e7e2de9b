package org.harbour.market.stock;

import java.util.HashMap;
import java.util.Map;

/** How much of everything is left, and how much of it somebody is thinking about. */
public class Stock {

    /** Less is left than somebody asked for. */
    public static final class Scarce extends RuntimeException {
        private final int left;

        Scarce(String goodsId, int left) {
            super("only " + left + " of " + goodsId + " are left");
            this.left = left;
        }

        public int left() {
            return left;
        }
    }

    private static final class Shelf {
        private int pieces;
        private int reserved;
    }

    private final Map<String, Shelf> shelves = new HashMap<>();

    public synchronized void deliver(String goodsId, int pieces) {
        requirePositive(pieces);
        shelf(goodsId).pieces += pieces;
    }

    public synchronized int left(String goodsId) {
        Shelf shelf = shelf(goodsId);
        return shelf.pieces - shelf.reserved;
    }

    /** Reserved pieces are still there, but nobody else can have them. */
    public synchronized void reserve(String goodsId, int pieces) {
        requirePositive(pieces);
        int left = left(goodsId);
        if (pieces > left) {
            throw new Scarce(goodsId, left);
        }
        shelf(goodsId).reserved += pieces;
    }

    public synchronized void release(String goodsId, int pieces) {
        Shelf shelf = shelf(goodsId);
        shelf.reserved = Math.max(0, shelf.reserved - pieces);
    }

    public synchronized void consume(String goodsId, int pieces) {
        Shelf shelf = shelf(goodsId);
        if (pieces > shelf.reserved) {
            throw new IllegalStateException(pieces + " of " + goodsId + " were never reserved");
        }
        shelf.reserved -= pieces;
        shelf.pieces -= pieces;
    }

    private Shelf shelf(String goodsId) {
        return shelves.computeIfAbsent(goodsId, unused -> new Shelf());
    }

    private static void requirePositive(int pieces) {
        if (pieces < 1) {
            throw new IllegalArgumentException("pieces must be positive, not " + pieces);
        }
    }
}

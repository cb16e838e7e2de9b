package org.harbour.market.basket;

import org.harbour.market.pricing.Money;

/**
 * One kind of goods in a basket. The price of a piece is the one of the moment in
 * which it was put in, and stays that way until the basket is emptied.
 */
public record BasketLine(String goodsId, String title, int quantity, Money pricePerPiece) {

    /** More than this needs a talk with the stall. */
    public static final int MAX_QUANTITY = 50;

    public BasketLine {
        if (quantity < 1 || quantity > MAX_QUANTITY) {
            throw new IllegalArgumentException("quantity of " + goodsId + " is " + quantity);
        }
    }

    public BasketLine withQuantity(int pieces) {
        return new BasketLine(goodsId, title, pieces, pricePerPiece);
    }

    public Money price() {
        return pricePerPiece.times(quantity);
    }
}

package org.harbour.market.web;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.harbour.market.Parts;
import org.harbour.market.catalog.Goods;
import org.harbour.market.customer.Customer;
import org.harbour.market.order.Order;

/** The pages of the market, as plain HTML. One method a page. */
public class Pages {

    private static final String TEXTS = "/messages.properties";

    private final Parts parts;
    private final Properties texts = new Properties();

    public Pages(Parts parts) {
        this.parts = parts;
        try (Reader reader = new InputStreamReader(
                Pages.class.getResourceAsStream(TEXTS), StandardCharsets.UTF_8)) {
            texts.load(reader);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    public String today(Map<String, String> query) {
        String words = query.getOrDefault("q", "");
        List<Goods> goods = words.isBlank()
                ? parts.catalog().today(List.of(), parts.clock())
                : parts.catalog().search(words, parts.clock());
        StringBuilder list = new StringBuilder();
        for (Goods one : goods) {
            int left = parts.stock().left(one.id());
            String note = left > 0 ? one.price().toString() : text("catalog.soldout");
            list.append("<li>").append(escape(one.title())).append(" – ").append(note).append("</li>");
        }
        return page(text("catalog.title"), "<ul>" + list + "</ul>");
    }

    /**
     * The page that customers know as their shopping cart. The cart itself is a
     * basket in the code; what is shown, and under which id, comes from the
     * browser's basket cookie.
     */
    public String basket(Map<String, String> query) {
        var basket = parts.baskets().open(query.getOrDefault("basket", ""));
        if (basket.isEmpty()) {
            return page(text("basket.title"), "<p>" + text("basket.empty") + "</p>");
        }
        StringBuilder rows = new StringBuilder();
        for (var line : basket.lines()) {
            rows.append("<tr><td>").append(line.quantity())
                    .append("</td><td>").append(escape(line.title()))
                    .append("</td><td>").append(line.price()).append("</td></tr>");
        }
        rows.append("<tr><td></td><td>").append(text("basket.total"))
                .append("</td><td>").append(basket.sum()).append("</td></tr>");
        return page(text("basket.title"), "<table>" + rows + "</table>");
    }

    public String order(Map<String, String> form) {
        Customer customer = parts.customers().findByEmail(form.getOrDefault("email", "")).orElseThrow();
        Order order = parts.orders().place(
                form.get("basket"), customer, LocalDateTime.parse(form.get("tour")), form.get("pay"));
        return page(text("order.thanks", customer.name(), order.id()), "");
    }

    private String text(String key, Object... values) {
        return MessageFormat.format(texts.getProperty(key, key), values);
    }

    private static String page(String title, String body) {
        return "<!doctype html><title>" + escape(title) + "</title><h1>" + escape(title) + "</h1>" + body;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}

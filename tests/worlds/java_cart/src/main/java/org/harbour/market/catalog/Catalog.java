package org.harbour.market.catalog;

import java.time.Clock;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;

/** What the stalls sell, by day of the week. */
public class Catalog {

    private final Map<String, Goods> byId = new ConcurrentHashMap<>();

    public void offer(Goods goods) {
        byId.put(goods.id(), goods);
    }

    public void withdraw(String id) {
        byId.remove(id);
    }

    /** Fails when there are no such goods or their stall is closed today. */
    public Goods onSaleToday(String id, Clock clock) {
        Goods goods = byId.get(id);
        if (goods == null || !goods.isSoldOn(today(clock))) {
            throw new NoSuchElementException("goods " + id + " are not on sale today");
        }
        return goods;
    }

    /** Sorted by stall and title, the way people walk over the market. */
    public List<Goods> today(Collection<String> stalls, Clock clock) {
        return byId.values().stream()
                .filter(goods -> goods.isSoldOn(today(clock)))
                .filter(goods -> stalls.isEmpty() || stalls.contains(goods.stall()))
                .sorted(Comparator.comparing(Goods::stall).thenComparing(Goods::title))
                .toList();
    }

    public List<Goods> search(String words, Clock clock) {
        String[] wanted = words.toLowerCase(Locale.ROOT).strip().split("\\s+");
        return today(List.of(), clock).stream()
                .filter(goods -> {
                    String title = goods.title().toLowerCase(Locale.ROOT);
                    for (String word : wanted) {
                        if (!title.contains(word)) {
                            return false;
                        }
                    }
                    return true;
                })
                .toList();
    }

    private static DayOfWeek today(Clock clock) {
        return LocalDate.now(clock).getDayOfWeek();
    }
}

package org.harbour.market.delivery;

import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;

/** Plans the tours of a day and finds room on them. */
public class TourPlanner {

    private static final LocalTime FIRST = LocalTime.of(9, 0);
    private static final LocalTime LAST = LocalTime.of(18, 0);

    private final List<Tour> tours = new CopyOnWriteArrayList<>();
    private final Clock clock;

    public TourPlanner(Clock clock) {
        this.clock = clock;
    }

    /** Every second tour is ridden with the cooled box, of which there is one. */
    public void plan(LocalDate day, List<String> districts) {
        for (String district : districts) {
            boolean cooled = true;
            LocalTime start = FIRST;
            while (!start.isAfter(LAST)) {
                tours.add(new Tour(district, day.atTime(start), cooled));
                cooled = !cooled;
                start = start.plus(Tour.LENGTH);
            }
        }
    }

    public List<Tour> openTours(String district, boolean needsCooling) {
        LocalDateTime now = LocalDateTime.now(clock);
        return tours.stream()
                .filter(tour -> tour.district().equals(district))
                .filter(tour -> tour.isOpen(now) && tour.hasRoom(needsCooling))
                .sorted(Comparator.comparing(Tour::start))
                .toList();
    }

    /** Puts an order on the tour that starts at this time. */
    public Tour book(String district, LocalDateTime start, boolean needsCooling, String orderId) {
        Tour tour = openTours(district, needsCooling).stream()
                .filter(one -> one.start().equals(start))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no room on a tour at " + start));
        tour.join(orderId);
        return tour;
    }

    public void unbook(String orderId) {
        tours.forEach(tour -> tour.leave(orderId));
    }

    public void forgetPast() {
        LocalDateTime now = LocalDateTime.now(clock);
        tours.removeIf(tour -> tour.end().isBefore(now.minusDays(1)));
    }
}

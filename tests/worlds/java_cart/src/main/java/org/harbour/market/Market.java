package org.harbour.market;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.harbour.market.web.Pages;
import org.harbour.market.web.WebServer;

/** Puts the parts together and starts the server. */
public final class Market {

    private static final int DEFAULT_PORT = 8080;
    private static final Duration CLEANING = Duration.ofMinutes(15);

    private Market() {
    }

    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : DEFAULT_PORT;
        Parts parts = Parts.assemble(Clock.systemDefaultZone());

        ScheduledExecutorService cleaner = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "cleaner");
            thread.setDaemon(true);
            return thread;
        });
        cleaner.scheduleWithFixedDelay(
                parts.cleaning(), CLEANING.toSeconds(), CLEANING.toSeconds(), TimeUnit.SECONDS);

        WebServer server = new WebServer(port, new Pages(parts));
        Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
        server.start();
        System.out.println("market is open on port " + port);
    }
}

package org.harbour.market.web;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Executors;
import java.util.function.Function;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** The JDK's own server, with a page behind each path. */
public class WebServer {

    private final HttpServer server;

    public WebServer(int port, Pages pages) throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        route("/", "GET", pages::today);
        route("/basket", "GET", pages::basket);
        route("/order", "POST", pages::order);
    }

    public void start() {
        server.start();
    }

    public void stop() {
        server.stop(2);
    }

    private void route(String path, String method, Function<Map<String, String>, String> page) {
        server.createContext(path, exchange -> {
            if (!exchange.getRequestMethod().equals(method)) {
                send(exchange, 405, "use " + method);
                return;
            }
            try {
                send(exchange, 200, page.apply(parameters(exchange)));
            } catch (NoSuchElementException missing) {
                send(exchange, 404, "not found: " + missing.getMessage());
            } catch (IllegalArgumentException | IllegalStateException refused) {
                send(exchange, 422, refused.getMessage());
            }
        });
    }

    private static Map<String, String> parameters(HttpExchange exchange) throws IOException {
        String raw = exchange.getRequestMethod().equals("POST")
                ? new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                : exchange.getRequestURI().getRawQuery();
        Map<String, String> parameters = new LinkedHashMap<>();
        if (raw == null) {
            return parameters;
        }
        for (String pair : raw.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}

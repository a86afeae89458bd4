import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Plays the callback of the recipe for Spring, with the signature check of its page. */
public final class Played {
    private static final String SECRET = System.getenv("SHOP_CALLBACK_SECRET");
    private static final Map<String, String> answers = new ConcurrentHashMap<>();
    private static boolean isOpen = true;

    public static void main(String[] parameters) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/helper-actions", Played::answer);
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        var id = headers.getFirst("webhook-id");
        var body = exchange.getRequestBody().readAllBytes();
        var signature = new HelperSignature(id, headers.getFirst("webhook-timestamp"), headers.getFirst("webhook-signature"));
        try {
            if (!signature.fits(body, SECRET)) send(exchange, 401, "");
            else if (exchange.getRequestMethod().equals("GET")) send(exchange, 200, Files.readString(Path.of("helper-manifest.json")));
            else send(exchange, 200, answers.computeIfAbsent(id, unseen -> run(new String(body, StandardCharsets.UTF_8))));
        } catch (java.security.GeneralSecurityException fault) {
            send(exchange, 500, "");
        }
    }

    private static String run(String call) {
        var action = group("\"action\":\"([^\"]*)\"", call);
        if (!call.contains("\"isAuthenticated\":true")) return error("Sign in first.");
        return action.equals("cancel_order") ? cancelOrder(call) : error("There is no action " + action + ".");
    }

    private static String error(String message) {
        return "{\"error\":{\"message\":\"" + message + "\"}}";
    }

    private static String cancelOrder(String call) {
        var number = group("\"orderNumber\":(\\d+)", call);
        if (!number.equals("1001") || !group("\"user\":\\{\"id\":\"([^\"]*)\"", call).equals("ann"))
            return error("There is no order " + number + ".");
        if (!isOpen) return error("Order 1001 is cancelled already.");
        isOpen = false;
        return "{\"result\":{\"orderNumber\":1001,\"status\":\"cancelled\"}}";
    }

    private static String group(String pattern, String text) {
        var found = Pattern.compile(pattern).matcher(text);
        return found.find() ? found.group(1) : "";
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var content = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }
}

package orrery.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import orrery.cluster.api.AccountSettings;
import orrery.model.security.RequestSigner;
import orrery.storage.StoreOptions;

/** Requests to the Table API of a server, signed in every way. Each has a connection of its own. */
record TableWire(OrreryServer server) {
    static final String VERSION = "2019-02-02";
    static final String NEVER = "2100-01-01T00:00:00Z";

    /** Starts a server that keeps nothing and throttles nobody. */
    static OrreryServer start() {
        return OrreryServer.start(
                new NodeConfig(
                        Optional.empty(),
                        "127.0.0.1",
                        0,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        AccountSettings.DEFAULT.withMetering(false, false, false),
                        StoreOptions.DEFAULT,
                        0));
    }

    static String entity(String keys) {
        return "{\"PartitionKey\":\"%s\",\"RowKey\":\"%s\"}"
                .formatted(keys.substring(0, 1), keys.substring(2));
    }

    String send(String method, String target, String body, String... headers) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.tablePort().orElseThrow())) {
            String head =
                    method
                            + " "
                            + target
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Accept: application/json;odata=nometadata\r\n"
                            + (body.isEmpty() || hasType(headers)
                                    ? ""
                                    : "Content-Type: application/json\r\n")
                            + "Content-Length: "
                            + body.length()
                            + "\r\n"
                            + List.of(headers).stream()
                                    .map(line -> line + "\r\n")
                                    .collect(Collectors.joining())
                            + "\r\n"
                            + body;
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static boolean hasType(String... headers) {
        return Stream.of(headers).anyMatch(line -> line.startsWith("Content-Type:"));
    }

    static String signature(String key, String text) {
        return Base64.getEncoder().encodeToString(new RequestSigner(key).sign(text));
    }

    String signed(String method, String target, String body, String... headers) throws IOException {
        return lite("localhost", server.keys().primary(), method, target, body, headers);
    }

    String lite(
            String account,
            String key,
            String method,
            String target,
            String body,
            String... headers)
            throws IOException {
        return dated(
                account, key, RequestSigner.date(Instant.now()), method, target, body, headers);
    }

    String dated(
            String account,
            String key,
            String date,
            String method,
            String target,
            String body,
            String... headers)
            throws IOException {
        String path = target.split("\\?", 2)[0];
        String comp =
                target.contains("comp=")
                        ? "?comp=" + target.split("comp=", 2)[1].split("&", 2)[0]
                        : "";
        String text = date + "\n/" + account + path + comp;
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("x-ms-date: " + date);
        all.add("Authorization: SharedKeyLite " + account + ":" + signature(key, text));
        return send(method, target, body, all.toArray(String[]::new));
    }

    /** A signature for the table People; parameters that are given count. */
    Map<String, String> table(String... parameters) {
        return tableBy(server.keys().primary(), parameters);
    }

    /** The same, signed with one of the keys. */
    Map<String, String> tableBy(String key, String... parameters) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("sv", VERSION);
        all.put("tn", "People");
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        String text =
                List.of("sp", "st", "se").stream()
                                .map(name -> all.getOrDefault(name, ""))
                                .collect(Collectors.joining("\n"))
                        + "\n/table/localhost/"
                        + all.getOrDefault("tn", "").toLowerCase(Locale.ROOT)
                        + "\n"
                        + List.of("si", "sip", "spr", "sv", "spk", "srk", "epk", "erk").stream()
                                .map(name -> all.getOrDefault(name, ""))
                                .collect(Collectors.joining("\n"));
        all.put("sig", signature(key, text));
        return all;
    }

    Map<String, String> account(String rights, String types, String services) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("sv", VERSION);
        all.put("ss", services);
        all.put("srt", types);
        all.put("sp", rights);
        all.put("se", NEVER);
        String text =
                String.join(
                        "\n", "localhost", rights, services, types, "", NEVER, "", "", VERSION, "");
        all.put("sig", signature(server.keys().primary(), text));
        return all;
    }

    static String query(Map<String, String> signature) {
        return signature.entrySet().stream()
                .map(
                        each ->
                                each.getKey()
                                        + "="
                                        + URLEncoder.encode(
                                                each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    String with(Map<String, String> signature, String method, String target, String... body)
            throws IOException {
        return send(
                method,
                target + (target.contains("?") ? "&" : "?") + query(signature),
                body.length == 0 ? "" : body[0],
                method.equals("DELETE") ? "If-Match: *" : "x-none: 1");
    }

    static String status(String reply) {
        String code =
                reply.split("x-ms-error-code: ", 2).length > 1
                        ? " " + reply.split("x-ms-error-code: ", 2)[1].split("\r\n", 2)[0]
                        : "";
        return reply.substring(9, 12) + code;
    }
}

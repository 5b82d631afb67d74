package orrery.frontend.table;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;

/**
 * A request whose head is read as the API means it. A part of a batch is one too.
 *
 * @param id by which the server's log knows it
 * @param method the one that is meant: clients send some behind POST
 */
record TableRequest(
        UUID id, HttpRequest http, String method, TablePath path, QueryOptions options) {
    private static final String X_METHOD = "X-HTTP-Method";
    private static final Set<String> BEHIND_POST = Set.of("MERGE", "PATCH", "PUT", "DELETE");

    static TableRequest parse(UUID id, HttpRequest http) {
        if (http.header("x-ms-version").filter(text -> !TableReply.isVersion(text)).isPresent()) {
            throw TableException.of(
                    TableErrorCode.INVALID_HEADER_VALUE,
                    "x-ms-version is the date of a version, such as 2019-02-02.");
        }
        QueryOptions options = QueryOptions.parse(http.query());
        TablePath path = TablePath.parse(http.path(), options.is("restype", "service"));
        return new TableRequest(id, http, method(http), path, options);
    }

    /** The same request with its body. */
    TableRequest with(HttpRequest whole) {
        return new TableRequest(id, whole, method, path, options);
    }

    private static String method(HttpRequest http) {
        List<String> meant = http.headers().all(X_METHOD);
        if (meant.isEmpty()) {
            return http.method();
        }
        if (meant.size() > 1) {
            throw new TableException(TableErrorCode.X_METHOD_INCORRECT_COUNT);
        }
        String method = meant.getFirst().strip().toUpperCase(Locale.ROOT);
        // The old Java SDK writes both in batches, and means the same with them.
        if (!http.method().equals("POST") && !http.method().equals(method)) {
            throw new TableException(TableErrorCode.X_METHOD_NOT_USING_POST);
        }
        if (!BEHIND_POST.contains(method)) {
            throw new TableException(TableErrorCode.X_METHOD_INCORRECT_VALUE);
        }
        return method;
    }

    RequestContext context(Principal principal, TableConfig config) {
        return new RequestContext(
                id,
                principal,
                Optional.empty(),
                Optional.of(config.consistency().get().level()),
                System.nanoTime() + timeout(config.requestTimeout()).toNanos());
    }

    /**
     * The time that the client gives us for the request, in whole seconds, if that is less than our
     * own limit. Zero asks for ours.
     */
    private Duration timeout(Duration ours) {
        long seconds =
                options.find("timeout")
                        .map(
                                text ->
                                        Decimal.parse(text)
                                                .orElseThrow(
                                                        () ->
                                                                TableException.of(
                                                                        TableErrorCode
                                                                                .INVALID_QUERY_PARAMETER,
                                                                        "The timeout is a whole"
                                                                                + " number of seconds"
                                                                                + " from 0 on.")))
                        .orElse(0L);
        return seconds == 0 || seconds >= ours.toSeconds() ? ours : Duration.ofSeconds(seconds);
    }

    Bytes body() {
        return http.body();
    }

    Optional<String> header(String name) {
        return http.header(name);
    }

    /** The amount of annotations in the answer. Throws if the client does not ask for JSON. */
    MetadataLevel level() {
        return MetadataLevel.of(options.find("$format"), header("Accept"));
    }

    /** The address of the account, to which the names of tables are added. */
    String base() {
        return http.scheme()
                + "://"
                + http.authority()
                + path.account().map(account -> "/" + account).orElse("");
    }

    /** The name of the account in the types of full annotations. */
    String account(TableConfig config) {
        return path.account().orElse(config.accountId());
    }

    /** The most rows of a page; absent where the client leaves it to us. Some ask for none. */
    OptionalInt top() {
        Optional<String> text = options.find("$top");
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                (int)
                        Decimal.parse(text.get(), 0, Integer.MAX_VALUE)
                                .orElseThrow(
                                        () ->
                                                TableException.of(
                                                        TableErrorCode.INVALID_INPUT,
                                                        "$top is a whole number from 0 on.")));
    }

    /** Refuses other options of OData than these: they would change the answer. */
    void allowOptions(String... known) {
        for (String name : options.names()) {
            if (name.startsWith("$") && !Arrays.asList(known).contains(name)) {
                throw TableException.of(
                        TableErrorCode.NOT_IMPLEMENTED,
                        "This request has no option '" + name + "'.");
            }
        }
        if (options.has("comp")) {
            throw TableException.of(
                    TableErrorCode.INVALID_QUERY_PARAMETER,
                    "Of comp there is acl, for a table, and properties and stats, for the"
                            + " service.");
        }
    }

    TableException methodNotAllowed() {
        return TableException.of(
                TableErrorCode.METHOD_NOT_ALLOWED, method + " " + path.sent() + ".");
    }
}

package orrery.frontend.table;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.http.PageRules;
import orrery.model.RequestContext;
import orrery.model.resource.TableServiceProperties.CorsRule;

/**
 * The rules for pages in browsers that the properties of the service have. The first rule that fits
 * a request decides, as in the service.
 */
public final class CorsRules implements PageRules {
    private static final String ANY = "*";

    private final Supplier<List<CorsRule>> rules;
    private final InstantSource clock;

    /**
     * @param rules those of this moment, from memory
     */
    public CorsRules(Supplier<List<CorsRule>> rules, InstantSource clock) {
        this.rules = rules;
        this.clock = clock;
    }

    @Override
    public Optional<HttpReply> preflight(HttpRequest head, String origin) {
        UUID id = RequestContext.newActivityId();
        try {
            return Optional.of(permission(id, head, origin));
        } catch (TableException refused) {
            return Optional.of(TableErrors.reply(head, id, refused, clock.instant()));
        }
    }

    private HttpReply permission(UUID id, HttpRequest head, String origin) {
        String method =
                head.header("Access-Control-Request-Method")
                        .orElseThrow(
                                () ->
                                        new TableException(
                                                TableErrorCode.INVALID_HEADER_VALUE,
                                                "A required CORS header is not present."));
        Optional<String> headers = head.header("Access-Control-Request-Headers");
        CorsRule rule =
                find(origin, method)
                        .filter(one -> headers.isEmpty() || allows(one, headers.get()))
                        .findFirst()
                        .orElseThrow(
                                () -> new TableException(TableErrorCode.CORS_PREFLIGHT_FAILURE));
        TableReply reply =
                new TableReply(head, id, 200)
                        .header("Access-Control-Allow-Origin", origin)
                        .header("Access-Control-Allow-Methods", method)
                        .header("Access-Control-Allow-Credentials", "true")
                        .header("Access-Control-Max-Age", Integer.toString(rule.maxAgeSeconds()))
                        .header("Vary", "Origin");
        headers.ifPresent(names -> reply.header("Access-Control-Allow-Headers", names));
        if (head.header("Access-Control-Request-Private-Network").isPresent()) {
            reply.header("Access-Control-Allow-Private-Network", "true");
        }
        return reply.build();
    }

    @Override
    public Optional<UnaryOperator<HttpReply>> reading(HttpRequest head, String origin) {
        return find(origin, head.method())
                .findFirst()
                .map(rule -> reply -> readable(reply, rule, origin));
    }

    private Stream<CorsRule> find(String origin, String method) {
        return rules.get().stream()
                .filter(
                        rule ->
                                names(rule.allowedOrigins())
                                        .anyMatch(
                                                one ->
                                                        one.equals(ANY)
                                                                || one.equalsIgnoreCase(origin)))
                .filter(rule -> names(rule.allowedMethods()).anyMatch(method::equalsIgnoreCase));
    }

    private static boolean allows(CorsRule rule, String headers) {
        return names(headers).allMatch(name -> isNamed(name, rule.allowedHeaders()));
    }

    /** Returns true if a list has a name, or a beginning of it with a star behind. */
    private static boolean isNamed(String name, String list) {
        String lower = name.toLowerCase(Locale.ROOT);
        return names(list.toLowerCase(Locale.ROOT))
                .anyMatch(
                        one ->
                                one.endsWith(ANY)
                                        ? lower.startsWith(one.substring(0, one.length() - 1))
                                        : lower.equals(one));
    }

    static Stream<String> names(String list) {
        return Arrays.stream(list.split(",")).map(String::strip).filter(name -> !name.isEmpty());
    }

    /** Lets the page read the reply, with those of its headers that the rule exposes. */
    private static HttpReply readable(HttpReply reply, CorsRule rule, String origin) {
        List<String> exposed = new ArrayList<>();
        reply.headers()
                .forEach(
                        (name, _) -> {
                            if (isNamed(name, rule.exposedHeaders())) {
                                exposed.add(name);
                            }
                        });
        boolean isForAll = names(rule.allowedOrigins()).anyMatch(ANY::equals);
        HttpReply readable =
                reply.with(
                        "Access-Control-Allow-Origin",
                        isForAll ? ANY : origin,
                        "Access-Control-Expose-Headers",
                        String.join(",", exposed));
        // The answer for all is the same for all, so caches need not ask for each origin.
        return isForAll
                ? readable
                : readable.with("Access-Control-Allow-Credentials", "true", "Vary", "Origin");
    }
}

package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.KeyPolicy;
import orrery.model.Bytes;
import orrery.model.RequestContext.Principal;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;

/** Changes shared access signatures bit by bit: none of them opens anything any more. */
final class SignatureBitsTest {
    private static final AccountKeys KEYS = AccountKeys.generate(new SecureRandom());
    private static final TableKeys AUTHENTICATOR =
            new TableKeys(
                    () -> KEYS,
                    KeyPolicy.everywhere(),
                    (_, id) ->
                            Optional.of(
                                    new StoredAccessPolicy(
                                            id,
                                            Optional.empty(),
                                            Optional.empty(),
                                            Optional.of("raud"))),
                    InstantSource.fixed(Instant.parse("2026-06-01T00:00:00Z")));

    private static Map<String, String> signed(List<String> names, Map<String, String> parameters) {
        String text =
                names.stream()
                        .map(
                                name ->
                                        name.startsWith("/")
                                                ? name
                                                        + parameters
                                                                .getOrDefault("tn", "")
                                                                .toLowerCase(Locale.ROOT)
                                                : name.startsWith("=")
                                                        ? name.substring(1)
                                                        : parameters.getOrDefault(name, ""))
                        .collect(Collectors.joining("\n"));
        Map<String, String> all = new LinkedHashMap<>(parameters);
        all.put(
                "sig",
                Base64.getEncoder().encodeToString(new RequestSigner(KEYS.primary()).sign(text)));
        return all;
    }

    private static Map<String, String> table(String... parameters) {
        Map<String, String> all = map("sv", "2019-02-02", "tn", "People", "se", "2026-07-01");
        all.putAll(map(parameters));
        return signed(
                List.of(
                        "sp",
                        "st",
                        "se",
                        "/table/localhost/",
                        "si",
                        "sip",
                        "spr",
                        "sv",
                        "spk",
                        "srk",
                        "epk",
                        "erk"),
                all);
    }

    private static Map<String, String> map(String... pairs) {
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            all.put(pairs[i], pairs[i + 1]);
        }
        return all;
    }

    static Stream<Map<String, String>> signatures() {
        return Stream.of(
                table("sp", "r"),
                table("si", "policy"),
                table(
                        "sp",
                        "raud",
                        "st",
                        "2026-05-01T00:00:00Z",
                        "sip",
                        "10.0.0.1-10.0.0.9",
                        "spr",
                        "https,http",
                        "spk",
                        "Aé",
                        "srk",
                        "1",
                        "epk",
                        "Z",
                        "erk",
                        "''9"),
                signed(
                        List.of(
                                "=localhost",
                                "sp",
                                "ss",
                                "srt",
                                "st",
                                "se",
                                "sip",
                                "spr",
                                "sv",
                                "="),
                        map(
                                "sv",
                                "2019-02-02",
                                "ss",
                                "t",
                                "srt",
                                "sco",
                                "sp",
                                "rwdlacu",
                                "st",
                                "2026-05-01",
                                "se",
                                "2026-07-01",
                                "sip",
                                "10.0.0.5",
                                "spr",
                                "https,http")));
    }

    private static Principal authenticate(Map<String, String> parameters) {
        String query =
                parameters.entrySet().stream()
                        .map(
                                each ->
                                        each.getKey()
                                                + "="
                                                + URLEncoder.encode(
                                                        each.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
        HttpRequest request =
                new HttpRequest(
                        "GET",
                        "/People()",
                        query,
                        Headers.of("Host", "localhost"),
                        Bytes.EMPTY,
                        "http",
                        "localhost",
                        new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 5),
                        new InetSocketAddress(InetAddress.ofLiteral("10.0.0.5"), 5));
        return AUTHENTICATOR.authenticate(
                request, TablePath.parse(request.path(), false), QueryOptions.parse(query));
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void noChangedBitOpensAnything(Map<String, String> signature) {
        assertThat(authenticate(signature)).isInstanceOf(Principal.Shared.class);
        List<String> opened = new ArrayList<>();
        for (Map.Entry<String, String> each : signature.entrySet()) {
            String value = each.getValue();
            for (int i = 0; i < value.length() * 8; i++) {
                char[] changed = value.toCharArray();
                changed[i / 8] ^= (char) (1 << i % 8);
                String next = new String(changed);
                // The name of a table means the same in letters of either case.
                if (!(each.getKey().equals("tn") && next.equalsIgnoreCase(value))
                        && !isRefused(with(signature, each.getKey(), next))) {
                    opened.add(each.getKey() + "=" + next);
                }
            }
            Map<String, String> without = new LinkedHashMap<>(signature);
            without.remove(each.getKey());
            if (!isRefused(without)) {
                opened.add("without " + each.getKey());
            }
        }
        assertThat(opened).isEmpty();
    }

    @Test
    void aRestrictionThatIsAddedOrTakenAwayIsNoticed() {
        Map<String, String> signature = table("sp", "r");
        for (String name : List.of("st", "si", "sip", "spr", "spk", "srk", "epk", "erk", "ss")) {
            boolean opens = !isRefused(with(signature, name, "2026-05-01"));
            // A table's signature has no services, so the parameter means nothing in it.
            assertThat(opens).as(name).isEqualTo(name.equals("ss"));
        }
    }

    private static Map<String, String> with(Map<String, String> all, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(all);
        changed.put(name, value);
        return changed;
    }

    private static boolean isRefused(Map<String, String> signature) {
        try {
            authenticate(signature);
            return false;
        } catch (TableException refused) {
            return refused.code().status() == 403;
        }
    }
}

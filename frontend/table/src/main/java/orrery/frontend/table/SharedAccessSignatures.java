package orrery.frontend.table;

import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.AccountSigners;
import orrery.gateway.api.AccessPolicies;
import orrery.model.RequestContext.Principal;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.security.EntityRange;
import orrery.model.security.SharedAccess;
import orrery.model.security.SharedAccess.Level;
import orrery.model.security.SharedAccess.Right;

/**
 * Lets in who holds a shared access signature: for one table, or for the account. A signature is
 * the work of an account key, so it ends with that key. What it opens, the door decides.
 */
final class SharedAccessSignatures {
    /** Before it the text that is signed had another form. */
    private static final String FIRST_VERSION = "2015-04-05";

    /** From it on the text for the account has one line more. */
    private static final String FIRST_WITH_SCOPE = "2020-12-06";

    private static final String SECONDARY = "-secondary";

    /** The names that clients of emulators give the account. */
    private static final List<String> EMULATED = List.of("localhost", "devstoreaccount1");

    private final AccountSigners signers;
    private final AccessPolicies policies;
    private final InstantSource clock;

    SharedAccessSignatures(AccountSigners signers, AccessPolicies policies, InstantSource clock) {
        this.signers = signers;
        this.policies = policies;
        this.clock = clock;
    }

    Principal authenticate(QueryOptions options, HttpRequest request, TablePath path) {
        String version = value(options, "sv");
        if (!isVersion(version)) {
            throw failed("sv must be the date of a version, " + FIRST_VERSION + " or later.");
        }
        boolean isOfTable = options.has("tn");
        if (!isOfTable && !options.has("ss")) {
            throw failed("It has neither tn, for a table, nor ss, for the account.");
        }
        byte[] signature = base64(value(options, "sig"));
        AccountSigners.Key key =
                accounts(request, path).stream()
                        .map(
                                account ->
                                        isOfTable
                                                ? textOfTable(options, account)
                                                : textOfAccount(options, account, version))
                        .flatMap(text -> signers.find(text, signature).stream())
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        failed(
                                                "Signature did not match. It was made with another"
                                                        + " key or for other parameters; it ends"
                                                        + " when its key is replaced."));
        boolean isReadOnly = SharedKeys.principal(signers, key, request).readOnly();
        Optional<StoredAccessPolicy> policy = policy(options, isOfTable);
        checkTime(options, policy);
        checkSource(options, request);
        Set<Right> rights = rights(one(options, "sp", policy, StoredAccessPolicy::permissions));
        if (isReadOnly) {
            rights.retainAll(EnumSet.of(Right.READ, Right.LIST));
        }
        return new Principal.Shared(
                isOfTable
                        ? new SharedAccess.OneTable(value(options, "tn"), range(options), rights)
                        : new SharedAccess.AllTables(levels(options), rights));
    }

    private static boolean isVersion(String text) {
        return text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}") && text.compareTo(FIRST_VERSION) >= 0;
    }

    private static String value(QueryOptions options, String name) {
        return options.find(name).orElse("");
    }

    private static String textOfTable(QueryOptions options, String account) {
        return String.join(
                "\n",
                value(options, "sp"),
                value(options, "st"),
                value(options, "se"),
                "/table/" + account + "/" + value(options, "tn").toLowerCase(Locale.ROOT),
                value(options, "si"),
                value(options, "sip"),
                value(options, "spr"),
                value(options, "sv"),
                value(options, "spk"),
                value(options, "srk"),
                value(options, "epk"),
                value(options, "erk"));
    }

    private static String textOfAccount(QueryOptions options, String account, String version) {
        String text =
                String.join(
                                "\n",
                                account,
                                value(options, "sp"),
                                value(options, "ss"),
                                value(options, "srt"),
                                value(options, "st"),
                                value(options, "se"),
                                value(options, "sip"),
                                value(options, "spr"),
                                value(options, "sv"))
                        + "\n";
        return version.compareTo(FIRST_WITH_SCOPE) >= 0
                ? text + value(options, "ses") + "\n"
                : text;
    }

    /** The names that the account may have had where the signature was made. */
    private static Set<String> accounts(HttpRequest request, TablePath path) {
        Set<String> names = new LinkedHashSet<>();
        path.account().map(SharedAccessSignatures::primary).ifPresent(names::add);
        String host = request.authority().split(":", 2)[0];
        names.add(primary(host.split("\\.", 2)[0]));
        names.addAll(EMULATED);
        return names;
    }

    private static String primary(String account) {
        return account.endsWith(SECONDARY)
                ? account.substring(0, account.length() - SECONDARY.length())
                : account;
    }

    private Optional<StoredAccessPolicy> policy(QueryOptions options, boolean isOfTable) {
        Optional<String> id = options.find("si");
        if (id.isEmpty() || !isOfTable) {
            return Optional.empty();
        }
        return Optional.of(
                policies.find(value(options, "tn"), id.get())
                        .orElseThrow(() -> failed("The table has no such access policy.")));
    }

    /** The value that stands in the signature or in its policy, but not in both. */
    private static Optional<String> one(
            QueryOptions options,
            String name,
            Optional<StoredAccessPolicy> policy,
            Function<StoredAccessPolicy, Optional<String>> ofPolicy) {
        Optional<String> own = options.find(name);
        Optional<String> stored = policy.flatMap(ofPolicy);
        if (own.isPresent() && stored.isPresent()) {
            throw failed(name + " stands in the signature and in its access policy.");
        }
        return own.or(() -> stored);
    }

    private void checkTime(QueryOptions options, Optional<StoredAccessPolicy> policy) {
        Instant now = clock.instant();
        Optional<Instant> start =
                one(options, "st", policy, StoredAccessPolicy::start).map(this::instant);
        Instant expiry =
                one(options, "se", policy, StoredAccessPolicy::expiry)
                        .map(this::instant)
                        .orElseThrow(() -> failed("The signature has no expiry."));
        if (start.filter(now::isBefore).isPresent() || !now.isBefore(expiry)) {
            throw failed(
                    "Signature not valid in the specified time frame: Start ["
                            + start.map(TableTime::format).orElse("")
                            + "] - Expiry ["
                            + TableTime.format(expiry)
                            + "] - Current ["
                            + TableTime.format(now)
                            + "].");
        }
    }

    private Instant instant(String text) {
        return TableTime.parse(text)
                .map(TableTime::instant)
                .orElseThrow(() -> failed("A time of the signature is not in ISO 8601 form."));
    }

    private static void checkSource(QueryOptions options, HttpRequest request) {
        List<String> protocols = Arrays.asList(options.find("spr").orElse("https,http").split(","));
        if (!protocols.contains(request.scheme())) {
            throw new TableException(TableErrorCode.AUTHORIZATION_PROTOCOL_MISMATCH);
        }
        Optional<String> addresses = options.find("sip");
        if (addresses.isPresent() && !isFrom(addresses.get(), request.remote().getAddress())) {
            throw new TableException(TableErrorCode.AUTHORIZATION_SOURCE_IP_MISMATCH);
        }
    }

    /** Returns true if an address is the one, or lies between the two, that a text names. */
    private static boolean isFrom(String addresses, InetAddress remote) {
        String[] ends = addresses.split("-", -1);
        if (ends.length > 2 || remote == null) {
            return false;
        }
        try {
            byte[] first = InetAddress.ofLiteral(ends[0].strip()).getAddress();
            byte[] last = InetAddress.ofLiteral(ends[ends.length - 1].strip()).getAddress();
            byte[] asked = remote.getAddress();
            return asked.length == first.length
                    && asked.length == last.length
                    && Arrays.compareUnsigned(first, asked) <= 0
                    && Arrays.compareUnsigned(asked, last) <= 0;
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    private static Set<Right> rights(Optional<String> letters) {
        String text = letters.orElseThrow(() -> failed("The signature has no permissions."));
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (Right right : Right.values()) {
            if (text.indexOf(right.letter()) >= 0) {
                rights.add(right);
            }
        }
        return rights;
    }

    private static Set<Level> levels(QueryOptions options) {
        if (value(options, "ss").indexOf('t') < 0) {
            throw new TableException(TableErrorCode.AUTHORIZATION_SERVICE_MISMATCH);
        }
        String letters = value(options, "srt");
        Set<Level> levels = EnumSet.noneOf(Level.class);
        for (Level level : Level.values()) {
            if (letters.indexOf(level.letter()) >= 0) {
                levels.add(level);
            }
        }
        return levels;
    }

    private static EntityRange range(QueryOptions options) {
        try {
            return new EntityRange(
                    options.find("spk"),
                    options.find("srk"),
                    options.find("epk"),
                    options.find("erk"));
        } catch (IllegalArgumentException rowAlone) {
            throw failed("srk needs spk, and erk needs epk.");
        }
    }

    private static byte[] base64(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            // The decoder passes over bits behind the last byte; one signature has one text.
            if (Base64.getEncoder().encodeToString(bytes).equals(text)) {
                return bytes;
            }
        } catch (IllegalArgumentException notBase64) {
            // Falls through to the refusal.
        }
        throw failed("sig is not Base64.");
    }

    private static TableException failed(String detail) {
        return TableException.of(TableErrorCode.AUTHENTICATION_FAILED, detail);
    }
}

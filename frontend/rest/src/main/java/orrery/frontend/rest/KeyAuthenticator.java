package orrery.frontend.rest;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext.Principal;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;

/**
 * Finds out who sent a request: the holder of one of the four account keys, who signed it, or of a
 * resource token, where those are let in. Runs on every request; safe for many threads.
 */
public final class KeyAuthenticator {
    private static final String AUTHORIZATION = "authorization";
    private static final String X_DATE = "x-ms-date";
    private static final String DATE = "date";

    private final AccountSigners signers;
    private final TokenReader tokens;
    private final InstantSource clock;
    private final RequestDate dates = new RequestDate();

    /** Lets in nobody but holders of account keys. */
    public KeyAuthenticator(Supplier<AccountKeys> keys, KeyPolicy policy, InstantSource clock) {
        this(keys, policy, clock, TokenReader.none());
    }

    /**
     * @param keys those of this moment: asked at each request, so that a key that was replaced
     *     opens nothing any more
     */
    public KeyAuthenticator(
            Supplier<AccountKeys> keys, KeyPolicy policy, InstantSource clock, TokenReader tokens) {
        this.tokens = tokens;
        this.signers = new AccountSigners(keys, policy);
        this.clock = clock;
    }

    public Principal authenticate(HttpRequest request, SignedResource resource) {
        Headers headers = request.headers();
        String header = headers.get(AUTHORIZATION);
        if (header == null) {
            throw new OrreryException(
                    ErrorCode.MISSING_AUTHORIZATION,
                    "Required Header authorization is missing. Ensure a valid Authorization token"
                            + " is passed.");
        }
        AuthorizationToken token = AuthorizationToken.parse(header);
        switch (token.type()) {
            case MASTER -> {}
            case RESOURCE -> {
                return tokens.open(token.text());
            }
            case AAD ->
                    throw new OrreryException(
                            ErrorCode.UNAUTHORIZED,
                            "Microsoft Entra tokens are not available yet. Use an account key or a"
                                    + " resource token.");
        }
        String xDate = headers.get(X_DATE);
        String date = xDate == null ? headers.get(DATE) : null;
        AccountSigners.Key signer = findSigner(request, resource, token, xDate, date);
        checkWindow(xDate != null ? xDate : date);
        return new Principal.Account(signer.kind());
    }

    private AccountSigners.Key findSigner(
            HttpRequest request,
            SignedResource resource,
            AuthorizationToken token,
            @Nullable String xDate,
            @Nullable String date) {
        if (xDate == null && date == null) {
            throw new OrreryException(
                    ErrorCode.UNAUTHORIZED,
                    "Authorization token mandates Date headers. Please pass in a valid date in the"
                            + " header x-ms-date (or date).");
        }
        List<String> types = resource.signedTypes();
        List<String> links = resource.signedLinks();
        for (String type : types) {
            for (String link : links) {
                Optional<AccountSigners.Key> signer =
                        signers.find(
                                payload(request.method(), type, link, xDate, date),
                                token.signature().unsafeArray());
                if (signer.isPresent()) {
                    requireUsable(signer.get(), request);
                    return signer.get();
                }
            }
        }
        // Showing the text we signed tells a client's author at once what differs; it holds no
        // secret.
        throw new OrreryException(
                ErrorCode.UNAUTHORIZED,
                "The input authorization token can't serve the request. The wrong key is being used"
                        + " or the expected payload is not built as per the protocol. If the key was"
                        + " replaced, use the other one of the account, or the new one: `orrery keys"
                        + " show` prints them on the server. Server used"
                        + " the following payload to sign: '"
                        + payload(request.method(), types.getFirst(), links.getFirst(), xDate, date)
                        + "'");
    }

    private void requireUsable(AccountSigners.Key key, HttpRequest request) {
        if (!signers.allows(key, request)) {
            throw new OrreryException(
                    ErrorCode.UNAUTHORIZED,
                    "The well-known emulator key works on the server's own machine only. Use a key"
                            + " of the account's own.");
        }
    }

    private static String payload(
            String method,
            String type,
            String link,
            @Nullable String xDate,
            @Nullable String date) {
        return RequestSigner.payload(
                method, type, link, xDate == null ? "" : xDate, date == null ? "" : date);
    }

    private void checkWindow(@Nullable String text) {
        Instant start =
                dates.parse(text == null ? "" : text)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.UNAUTHORIZED,
                                                "The date of the request is not in RFC 1123 form,"
                                                        + " such as Sun, 15 Nov 2026 06:34:56"
                                                        + " GMT."));
        Instant now = clock.instant();
        if (!RequestDate.isFresh(start, now)) {
            throw new OrreryException(
                    ErrorCode.FORBIDDEN,
                    "The authorization token is not valid at the current time. Please create"
                            + " another token and retry (token start time: "
                            + show(start)
                            + ", token expiry time: "
                            + show(start.plus(RequestDate.WINDOW))
                            + ", current server time: "
                            + show(now)
                            + ").");
        }
    }

    private static String show(Instant instant) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
    }
}

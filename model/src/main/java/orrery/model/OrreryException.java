package orrery.model;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.metering.Charge;

/**
 * The one exception that reaches clients: a code, a sentence that tells them what to do, and when
 * to come back if waiting helps.
 */
public final class OrreryException extends RuntimeException {
    private final ErrorCode code;
    private final Optional<Duration> retryAfter;
    private final Charge charge;
    private final Optional<SessionToken> sessionToken;

    public OrreryException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public OrreryException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, cause, Optional.empty(), Charge.NONE, Optional.empty());
    }

    private OrreryException(
            ErrorCode code,
            String message,
            @Nullable Throwable cause,
            Optional<Duration> retryAfter,
            Charge charge,
            Optional<SessionToken> sessionToken) {
        // An expected failure needs no stack trace: it is an answer, and there may be many of them.
        super(message, cause, false, code == ErrorCode.INTERNAL);
        this.code = code;
        this.retryAfter = retryAfter;
        this.charge = charge;
        this.sessionToken = sessionToken;
    }

    public OrreryException withRetryAfter(Duration delay) {
        return new OrreryException(
                code, text(), getCause(), Optional.of(delay), charge, sessionToken);
    }

    /**
     * A failed data operation still costs, and still tells the client how far the range has come.
     */
    public OrreryException withProgress(Charge cost, SessionToken token) {
        return new OrreryException(code, text(), getCause(), retryAfter, cost, Optional.of(token));
    }

    public OrreryException withCharge(Charge cost) {
        return new OrreryException(code, text(), getCause(), retryAfter, cost, sessionToken);
    }

    /** The same failure under another code. */
    public OrreryException withCode(ErrorCode other) {
        return new OrreryException(other, text(), getCause(), retryAfter, charge, sessionToken);
    }

    public ErrorCode code() {
        return code;
    }

    public String text() {
        String message = getMessage();
        return message == null ? code.name() : message;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    public Charge charge() {
        return charge;
    }

    public Optional<SessionToken> sessionToken() {
        return sessionToken;
    }
}

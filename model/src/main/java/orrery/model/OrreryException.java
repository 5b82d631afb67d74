package orrery.model;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
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
    private final OptionalInt languageCode;
    private final Optional<Violation> violation;

    public OrreryException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public OrreryException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(
                code,
                message,
                cause,
                Optional.empty(),
                Charge.NONE,
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty());
    }

    private OrreryException(
            ErrorCode code,
            String message,
            @Nullable Throwable cause,
            Optional<Duration> retryAfter,
            Charge charge,
            Optional<SessionToken> sessionToken,
            OptionalInt languageCode,
            Optional<Violation> violation) {
        // An expected failure needs no stack trace: it is an answer, and there may be many of them.
        super(message, cause, false, code == ErrorCode.INTERNAL);
        this.code = code;
        this.retryAfter = retryAfter;
        this.charge = charge;
        this.sessionToken = sessionToken;
        this.languageCode = languageCode;
        this.violation = violation;
    }

    public OrreryException withRetryAfter(Duration delay) {
        return new OrreryException(
                code,
                text(),
                getCause(),
                Optional.of(delay),
                charge,
                sessionToken,
                languageCode,
                violation);
    }

    /**
     * A failed data operation still costs, and still tells the client how far the range has come.
     */
    public OrreryException withProgress(Charge cost, SessionToken token) {
        return new OrreryException(
                code,
                text(),
                getCause(),
                retryAfter,
                cost,
                Optional.of(token),
                languageCode,
                violation);
    }

    public OrreryException withCharge(Charge cost) {
        return new OrreryException(
                code, text(), getCause(), retryAfter, cost, sessionToken, languageCode, violation);
    }

    /** The same failure with the number that the language of the request has for it. */
    public OrreryException withLanguageCode(int number) {
        return new OrreryException(
                code,
                text(),
                getCause(),
                retryAfter,
                charge,
                sessionToken,
                OptionalInt.of(number),
                violation);
    }

    /** The same failure with a number, if its language has one for it. */
    public OrreryException withLanguageCode(OptionalInt number) {
        return number.isPresent() ? withLanguageCode(number.getAsInt()) : this;
    }

    /** The same failure under another code. */
    public OrreryException withCode(ErrorCode other) {
        return new OrreryException(
                other,
                text(),
                getCause(),
                retryAfter,
                charge,
                sessionToken,
                languageCode,
                violation);
    }

    /** The same failure with the rule that its write does not meet, where it is known. */
    public OrreryException withViolation(Optional<? extends Violation> rule) {
        return new OrreryException(
                code,
                text(),
                getCause(),
                retryAfter,
                charge,
                sessionToken,
                languageCode,
                rule.map(Violation.class::cast));
    }

    public ErrorCode code() {
        return code;
    }

    public String text() {
        String message = getMessage();
        return message == null ? code.name() : message;
    }

    /**
     * The number of the failure in the language of the request, for a front-end whose clients know
     * failures by numbers of their own. The engine only carries it.
     */
    public OptionalInt languageCode() {
        return languageCode;
    }

    /**
     * The rule that a write does not meet: the key that is taken, with {@code UNIQUE_KEY_VIOLATION}
     * of an index that has a name, or what the validator says of the document.
     */
    public Optional<Violation> violation() {
        return violation;
    }

    /** The key that is taken, if that is the rule. */
    public Optional<KeyViolation> takenKey() {
        return violation.filter(KeyViolation.class::isInstance).map(KeyViolation.class::cast);
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

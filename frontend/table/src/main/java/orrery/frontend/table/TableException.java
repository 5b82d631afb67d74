package orrery.frontend.table;

import java.time.Duration;
import java.util.Optional;
import orrery.model.metering.Charge;

/** A refusal in the words of the Table service. */
public final class TableException extends RuntimeException {
    private final TableErrorCode code;
    private final String text;
    private final Charge charge;
    private final Optional<Duration> retryAfter;

    public TableException(TableErrorCode code) {
        this(code, code.sentence());
    }

    public TableException(TableErrorCode code, String text) {
        this(code, text, Charge.NONE, Optional.empty());
    }

    TableException(TableErrorCode code, String text, Charge charge, Optional<Duration> retryAfter) {
        // It is an answer, so nobody needs its stack.
        super(text, null, false, false);
        this.code = code;
        this.text = text;
        this.charge = charge;
        this.retryAfter = retryAfter;
    }

    /** A refusal with the sentence of its code, and what exactly is wrong behind it. */
    public static TableException of(TableErrorCode code, String detail) {
        return new TableException(code, code.sentence() + " " + detail);
    }

    public TableErrorCode code() {
        return code;
    }

    public String text() {
        return text;
    }

    public Charge charge() {
        return charge;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}

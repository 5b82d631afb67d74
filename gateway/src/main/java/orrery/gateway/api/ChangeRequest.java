package orrery.gateway.api;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The changes of a container that a client wants.
 *
 * @param since only versions written at this time or later, wherever the reading starts
 * @param maxItems absent lets the server decide
 */
public record ChangeRequest(Start start, Optional<Instant> since, OptionalInt maxItems) {
    public static final ChangeRequest FROM_BEGINNING =
            new ChangeRequest(new Start.Beginning(), Optional.empty(), OptionalInt.empty());

    public static final ChangeRequest FROM_NOW =
            new ChangeRequest(new Start.Now(), Optional.empty(), OptionalInt.empty());

    /** The place where reading starts. */
    public sealed interface Start {
        record Beginning() implements Start {}

        /** Behind all that is there; the answer is empty and says where that was. */
        record Now() implements Start {}

        /**
         * Behind an earlier page.
         *
         * @param continuation what that page handed out
         */
        record After(String continuation) implements Start {}
    }

    public static ChangeRequest after(String continuation) {
        return new ChangeRequest(
                new Start.After(continuation), Optional.empty(), OptionalInt.empty());
    }

    public ChangeRequest withMaxItems(int count) {
        return new ChangeRequest(start, since, OptionalInt.of(count));
    }

    public ChangeRequest since(Instant time) {
        return new ChangeRequest(start, Optional.of(time), maxItems);
    }
}

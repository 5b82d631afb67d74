package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** A condition on the present version of a resource; a request goes ahead only if it holds. */
public sealed interface Precondition {
    record None() implements Precondition {}

    /** Some version exists ({@code If-Match: *}). */
    record Exists() implements Precondition {}

    record Matches(Etag etag) implements Precondition {}

    /** The client named an etag that no write of ours can have made, so nothing matches it. */
    record Impossible() implements Precondition {}

    Precondition NONE = new None();

    /**
     * Reads the text that clients send: a star, or an etag. One that is not ours matches nothing.
     */
    static Precondition matching(String text) {
        if (text.equals("*")) {
            return new Exists();
        }
        return Etag.parse(text).<Precondition>map(Matches::new).orElseGet(Impossible::new);
    }

    static boolean holds(Precondition precondition, Etag present) {
        return switch (precondition) {
            case None _, Exists _ -> true;
            case Matches(Etag etag) -> etag.equals(present);
            case Impossible _ -> false;
        };
    }

    static void write(BinaryWriter out, Precondition precondition) {
        switch (precondition) {
            case None _ -> out.u8(0);
            case Exists _ -> out.u8(1);
            case Matches(Etag etag) -> {
                out.u8(2);
                etag.write(out);
            }
            case Impossible _ -> out.u8(3);
        }
    }

    static Precondition read(BinaryReader in) {
        return switch (in.u8()) {
            case 0 -> NONE;
            case 1 -> new Exists();
            case 2 -> new Matches(Etag.read(in));
            case 3 -> new Impossible();
            default -> throw new MalformedRecordException("unknown precondition");
        };
    }
}

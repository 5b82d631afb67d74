package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import orrery.model.KeyRange;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The progress of a reader of a stream: which containers it knows, and how far it has come in each.
 * It names keys and not partitions, so it outlives splits and merges.
 *
 * @param stage whether the stream goes on
 * @param sinceMillis changes from before this time are left out
 * @param database the number of the database that the stream is of, once it was there; 0 otherwise
 * @param sources the containers that were there, in the order of their numbers
 */
record StreamPlace(Stage stage, long sinceMillis, int database, List<Source> sources) {
    /** Before a container that has come later: all of it is read. */
    private static final ChangeCursor.Part BEGINNING =
            new ChangeCursor.Part(KeyRange.FULL, VersionPlace.after(0));

    /** The end of a stream is an event that comes behind the one that caused it. */
    enum Stage {
        OPEN,
        /** The source was dropped; the reader has been told, but not of the end. */
        ENDING,
        ENDED
    }

    /**
     * A container.
     *
     * @param database the name of its database
     * @param name the one that the reader knows
     */
    record Source(int container, String database, String name, List<ChangeCursor.Part> parts) {
        Source {
            parts = List.copyOf(parts);
        }

        private void write(BinaryWriter out) {
            out.u32(container)
                    .string(database)
                    .string(name)
                    .list(parts, (w, part) -> part.write(w));
        }

        private static Source read(BinaryReader in) {
            return new Source(in.u32(), in.string(), in.string(), in.list(ChangeCursor.Part::read));
        }

        Source at(List<ChangeCursor.Part> next) {
            return new Source(container, database, name, new ChangeCursor(next).joined().parts());
        }

        Source named(String next) {
            return new Source(container, database, next, parts);
        }
    }

    StreamPlace {
        sources = List.copyOf(sources);
    }

    /** Before anything was found. */
    static StreamPlace start(long sinceMillis) {
        return new StreamPlace(Stage.OPEN, sinceMillis, 0, List.of());
    }

    /** A container all of whose changes are read. */
    static Source whole(int container, String database, String name) {
        return new Source(container, database, name, List.of(BEGINNING));
    }

    StreamPlace in(Stage next) {
        return new StreamPlace(next, sinceMillis, database, sources);
    }

    StreamPlace of(OptionalInt number) {
        return new StreamPlace(stage, sinceMillis, number.orElse(0), sources);
    }

    StreamPlace with(List<Source> next) {
        return new StreamPlace(stage, sinceMillis, database, next);
    }

    /** Changes the source of a container, if it is there. */
    StreamPlace changing(int container, UnaryOperator<Source> change) {
        return with(
                sources.stream()
                        .map(
                                source ->
                                        source.container() == container
                                                ? change.apply(source)
                                                : source)
                        .toList());
    }

    StreamPlace without(int container) {
        return with(sources.stream().filter(source -> source.container() != container).toList());
    }

    StreamPlace and(Source source) {
        List<Source> more = new ArrayList<>(sources);
        more.add(source);
        return with(more);
    }

    void write(BinaryWriter out) {
        out.enumeration(stage)
                .u64(sinceMillis)
                .u32(database)
                .list(sources, (w, source) -> source.write(w));
    }

    static StreamPlace read(BinaryReader in) {
        return new StreamPlace(
                in.enumeration(Stage.class), in.u64(), in.u32(), in.list(Source::read));
    }
}

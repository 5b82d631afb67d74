package orrery.model;

import java.util.OptionalInt;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** Reserved request units per second, of a container or shared by a database. */
public sealed interface Throughput {
    /** Names who sets the present throughput. */
    enum Mode {
        MANUAL,
        AUTOSCALE
    }

    /**
     * @param perMinute with the add-on of 2017: ten times as much for each minute, for what goes
     *     beyond a second's part
     */
    record Manual(int requestUnits, boolean perMinute) implements Throughput {
        public Manual(int requestUnits) {
            this(requestUnits, false);
        }
    }

    /**
     * @param incrementPercent by which the service raises the ceiling when data grows; it is kept
     *     only for clients that read it back
     */
    record Autoscale(int maxRequestUnits, OptionalInt incrementPercent) implements Throughput {
        public Autoscale(int maxRequestUnits) {
            this(maxRequestUnits, OptionalInt.empty());
        }
    }

    default Mode mode() {
        return switch (this) {
            case Manual _ -> Mode.MANUAL;
            case Autoscale _ -> Mode.AUTOSCALE;
        };
    }

    /**
     * Returns the throughput that physical partitions must be able to deliver: the ceiling when it
     * scales by itself.
     */
    default int ceiling() {
        return switch (this) {
            case Manual(int requestUnits, boolean _) -> requestUnits;
            case Autoscale(int maxRequestUnits, OptionalInt _) -> maxRequestUnits;
        };
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Manual(int requestUnits, boolean perMinute) ->
                    out.u8(perMinute ? 2 : 0).u32(requestUnits);
            case Autoscale(int maxRequestUnits, OptionalInt increment) -> {
                out.u8(increment.isPresent() ? 3 : 1).u32(maxRequestUnits);
                increment.ifPresent(out::u8);
            }
        }
    }

    static Throughput read(BinaryReader in) {
        return switch (in.u8()) {
            case 0 -> new Manual(in.u32(), false);
            case 1 -> new Autoscale(in.u32());
            case 2 -> new Manual(in.u32(), true);
            case 3 -> new Autoscale(in.u32(), OptionalInt.of(in.u8()));
            default -> throw new MalformedRecordException("unknown kind of throughput");
        };
    }
}

package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** Reserved request units per second, of a container or shared by a database. */
public sealed interface Throughput {
    record Manual(int requestUnits) implements Throughput {}

    record Autoscale(int maxRequestUnits) implements Throughput {}

    /** What physical partitions must be able to deliver: the ceiling when it scales by itself. */
    default int ceiling() {
        return switch (this) {
            case Manual(int requestUnits) -> requestUnits;
            case Autoscale(int maxRequestUnits) -> maxRequestUnits;
        };
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Manual(int requestUnits) -> out.u8(0).u32(requestUnits);
            case Autoscale(int maxRequestUnits) -> out.u8(1).u32(maxRequestUnits);
        }
    }

    static Throughput read(BinaryReader in) {
        return switch (in.u8()) {
            case 0 -> new Manual(in.u32());
            case 1 -> new Autoscale(in.u32());
            default -> throw new MalformedRecordException("unknown kind of throughput");
        };
    }
}

package orrery.model.resource;

import orrery.model.ContainerDefinition;
import orrery.model.Etag;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A container and the intent the catalog has for it. Its number is unique in the account and never
 * reused; it heads every key the container stores.
 *
 * @param fixed it has one range and never splits, which was decided when it was created
 * @param nextSegment the next number for a segment, which is where a partition keeps its index
 *     entries and changes; numbers are never reused
 * @param definitionVersion grows with each replace and with each change of the limits that
 *     partitions are told; they are told definition and version
 */
public record Container(
        int number,
        int database,
        String name,
        ContainerDefinition definition,
        boolean fixed,
        int nextSegment,
        int definitionVersion,
        State state,
        Etag etag,
        long timestampMillis) {
    /** 3: the next segment, and a length before the record. */
    public static final int VERSION = 3;

    /**
     *
     *
     * <pre>
     *   CREATING ──► ONLINE ◄──► CHANGING     (a new definition is on its way to the partitions)
     *       └───────────┴───────────┴──► DELETING ──► gone
     * </pre>
     */
    public enum State {
        CREATING,
        ONLINE,
        CHANGING,
        DELETING
    }

    /** Returns the name that messages have for one of its partitions. */
    public PartitionId partition(PhysicalPartition partition) {
        return new PartitionId(number, partition.range());
    }

    public ResourceId rid() {
        return ResourceId.ofContainer(database, number);
    }

    /**
     * Returns true if the container was created without a key, so that its items need not have one.
     */
    public boolean isKeyless() {
        PartitionKeyDefinition key = definition.partitionKey();
        return fixed && (key.paths().isEmpty() || key.systemKey());
    }

    public Container withState(State next) {
        return new Container(
                number,
                database,
                name,
                definition,
                fixed,
                nextSegment,
                definitionVersion,
                next,
                etag,
                timestampMillis);
    }

    /** Returns it under another name. */
    public Container named(String next, Etag newEtag, long stampMillis) {
        return new Container(
                number,
                database,
                next,
                definition,
                fixed,
                nextSegment,
                definitionVersion,
                state,
                newEtag,
                stampMillis);
    }

    /** Returns it with another definition on its way to the partitions. */
    public Container replaced(ContainerDefinition wanted, Etag newEtag, long stampMillis) {
        return new Container(
                number,
                database,
                name,
                wanted,
                fixed,
                nextSegment,
                definitionVersion + 1,
                state == State.CREATING ? State.CREATING : State.CHANGING,
                newEtag,
                stampMillis);
    }

    /** Returns it after some segments were given numbers. */
    public Container withNextSegment(int next) {
        return new Container(
                number,
                database,
                name,
                definition,
                fixed,
                next,
                definitionVersion,
                state,
                etag,
                timestampMillis);
    }

    /** Sends the same definition to the partitions again, for limits that go with it. */
    public Container redefined() {
        return replaced(definition, etag, timestampMillis);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).string(name);
        definition.write(out);
        out.bool(fixed).u32(nextSegment).u32(definitionVersion).enumeration(state);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static Container read(BinaryReader in) {
        return new Container(
                in.u32(),
                in.u32(),
                in.string(),
                ContainerDefinition.read(in),
                in.bool(),
                in.u32(),
                in.u32(),
                in.enumeration(State.class),
                Etag.read(in),
                in.u64());
    }
}

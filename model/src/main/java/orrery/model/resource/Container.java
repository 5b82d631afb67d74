package orrery.model.resource;

import orrery.model.ContainerDefinition;
import orrery.model.Etag;
import orrery.model.PartitionKeyDefinition;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A container and the intent the catalog has for it. Its number is unique in the account and never
 * reused; it heads every key the container stores.
 *
 * @param fixed it has one range and never splits, which was decided when it was created
 * @param definitionVersion grows with each replace and with each change of the limits that
 *     partitions are told; they are told definition and version
 */
public record Container(
        int number,
        int database,
        String name,
        ContainerDefinition definition,
        boolean fixed,
        int definitionVersion,
        State state,
        Etag etag,
        long timestampMillis) {
    /** 2: whether it is fixed. */
    public static final int VERSION = 2;

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
                definitionVersion,
                next,
                etag,
                timestampMillis);
    }

    /** Returns it with another definition on its way to the partitions. */
    public Container replaced(ContainerDefinition wanted, Etag newEtag, long stampMillis) {
        return new Container(
                number,
                database,
                name,
                wanted,
                fixed,
                definitionVersion + 1,
                state == State.CREATING ? State.CREATING : State.CHANGING,
                newEtag,
                stampMillis);
    }

    /** Sends the same definition to the partitions again, for limits that go with it. */
    public Container redefined() {
        return replaced(definition, etag, timestampMillis);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).string(name);
        definition.write(out);
        out.bool(fixed).u32(definitionVersion).enumeration(state);
        etag.write(out);
        out.u64(timestampMillis);
    }

    /**
     * @param version in version 1 a container was fixed where it had no key
     */
    public static Container read(BinaryReader in, int version) {
        int number = in.u32();
        int database = in.u32();
        String name = in.string();
        ContainerDefinition definition = ContainerDefinition.read(in);
        return new Container(
                number,
                database,
                name,
                definition,
                version == 1 ? definition.partitionKey().paths().isEmpty() : in.bool(),
                in.u32(),
                in.enumeration(State.class),
                Etag.read(in),
                in.u64());
    }
}

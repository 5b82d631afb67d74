package orrery.model.resource;

import orrery.model.ContainerDefinition;
import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A container and the intent the catalog has for it. Its number is unique in the account and never
 * reused; it heads every key the container stores.
 *
 * @param definitionVersion grows with each replace; partitions are told definition and version
 */
public record Container(
        int number,
        int database,
        String name,
        ContainerDefinition definition,
        int definitionVersion,
        State state,
        Etag etag,
        long timestampMillis) {
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

    public Container withState(State next) {
        return new Container(
                number, database, name, definition, definitionVersion, next, etag, timestampMillis);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).string(name);
        definition.write(out);
        out.u32(definitionVersion).enumeration(state);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static Container read(BinaryReader in) {
        return new Container(
                in.u32(),
                in.u32(),
                in.string(),
                ContainerDefinition.read(in),
                in.u32(),
                in.enumeration(State.class),
                Etag.read(in),
                in.u64());
    }
}

package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptSource;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A stored procedure, trigger or user-defined function of a container. Its number is unique in the
 * account and never reused.
 */
public record Script(
        int number,
        int database,
        int container,
        ScriptDefinition definition,
        Etag etag,
        long timestampMillis) {
    /** The part of a script that the catalog keeps in memory: all but its body. */
    public record Head(
            int number, int container, ScriptDefinition.Kind kind, String name, Etag etag) {}

    public Head head() {
        return new Head(number, container, definition.kind(), definition.name(), etag);
    }

    public String name() {
        return definition.name();
    }

    /** Returns the form in which the script travels to the partition that runs it. */
    public ScriptSource source() {
        return new ScriptSource(name(), etag.high(), definition.body());
    }

    public ResourceId rid() {
        return ResourceId.ofScript(database, container, number, definition.kind());
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).u32(container);
        definition.write(out);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static Script read(BinaryReader in) {
        return new Script(
                in.u32(), in.u32(), in.u32(), ScriptDefinition.read(in), Etag.read(in), in.u64());
    }
}

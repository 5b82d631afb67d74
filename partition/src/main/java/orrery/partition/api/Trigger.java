package orrery.partition.api;

import orrery.model.ScriptSource;
import orrery.model.TriggerOperation;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A script that a write asked for by name. It runs if it is meant for such writes. */
public record Trigger(ScriptSource source, TriggerOperation operation) {
    void write(BinaryWriter out) {
        source.write(out);
        out.enumeration(operation);
    }

    static Trigger read(BinaryReader in) {
        return new Trigger(ScriptSource.read(in), in.enumeration(TriggerOperation.class));
    }
}

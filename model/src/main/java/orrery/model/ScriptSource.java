package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The JavaScript of a stored procedure, a trigger or a user-defined function, as it travels to
 * where it runs.
 *
 * @param name its id, by which errors call it
 * @param version changes with each replacement; for people who compare, as what was compiled is
 *     found again by the body
 * @param body the text of one function
 */
public record ScriptSource(String name, long version, String body) {
    public void write(BinaryWriter out) {
        out.string(name).u64(version).string(body);
    }

    public static ScriptSource read(BinaryReader in) {
        return new ScriptSource(in.string(), in.u64(), in.string());
    }
}

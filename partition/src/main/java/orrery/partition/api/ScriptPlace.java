package orrery.partition.api;

import java.util.List;
import orrery.model.ScriptSource;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The container of a script: the names that the script may ask for and use in links, and what its
 * queries may call.
 *
 * @param database number of the database, which heads the rids of the items
 * @param functions user-defined functions of the container
 */
public record ScriptPlace(
        int database, String databaseName, String containerName, List<ScriptSource> functions) {
    public ScriptPlace {
        functions = List.copyOf(functions);
    }

    void write(BinaryWriter out) {
        out.u32(database).string(databaseName).string(containerName);
        out.list(functions, (w, function) -> function.write(w));
    }

    static ScriptPlace read(BinaryReader in) {
        return new ScriptPlace(in.u32(), in.string(), in.string(), in.list(ScriptSource::read));
    }

    /** The link of the container by names. */
    public String altLink() {
        return "dbs/" + databaseName + "/colls/" + containerName;
    }
}

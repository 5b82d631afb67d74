package orrery.partition.api;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import orrery.model.ScriptSource;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The container of a script: the names that the script may ask for and use in links, and what its
 * queries may call.
 *
 * @param database number of the database, which heads the rids of the items
 * @param functions user-defined functions of the container, not necessarily all of them
 * @param unknown names of functions that the container does not have
 */
public record ScriptPlace(
        int database,
        String databaseName,
        String containerName,
        List<ScriptSource> functions,
        Set<String> unknown) {
    public ScriptPlace {
        functions = List.copyOf(functions);
        unknown = Collections.unmodifiableSet(new TreeSet<>(unknown));
    }

    /**
     * Returns true if more has to be known before a query can call this function, or hear of its
     * absence.
     */
    public boolean isOpen(String function) {
        return !unknown.contains(function)
                && functions.stream().noneMatch(source -> source.name().equals(function));
    }

    void write(BinaryWriter out) {
        out.u32(database).string(databaseName).string(containerName);
        out.list(functions, (w, function) -> function.write(w));
        out.list(List.copyOf(unknown), BinaryWriter::string);
    }

    static ScriptPlace read(BinaryReader in) {
        return new ScriptPlace(
                in.u32(),
                in.string(),
                in.string(),
                in.list(ScriptSource::read),
                new TreeSet<>(in.list(BinaryReader::string)));
    }

    /** The link of the container by names. */
    public String altLink() {
        return "dbs/" + databaseName + "/colls/" + containerName;
    }
}

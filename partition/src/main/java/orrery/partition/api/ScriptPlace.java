package orrery.partition.api;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The container of a script by the names that the script may ask for and use in links.
 *
 * @param database number of the database, which heads the rids of the items
 */
public record ScriptPlace(int database, String databaseName, String containerName) {
    void write(BinaryWriter out) {
        out.u32(database).string(databaseName).string(containerName);
    }

    static ScriptPlace read(BinaryReader in) {
        return new ScriptPlace(in.u32(), in.string(), in.string());
    }

    /** The link of the container by names. */
    public String altLink() {
        return "dbs/" + databaseName + "/colls/" + containerName;
    }
}

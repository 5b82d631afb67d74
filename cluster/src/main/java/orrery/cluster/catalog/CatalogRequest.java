package orrery.cluster.catalog;

import orrery.model.Bytes;
import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * A command on its way to the catalog, an entry of the catalog's log.
 *
 * @param id the same each time it is sent: a catalog that has carried it out lately answers with
 *     the first outcome
 * @param stampMillis the leader's clock
 */
public record CatalogRequest(RequestId id, long stampMillis, CatalogCommand command) {
    /** 5: settings have the throughput of tables. */
    static final int VERSION = 5;

    /** About how many bytes it takes, for those who hold many. */
    public int sizeBytes() {
        return command.sizeBytes();
    }

    /** Returns false for what deletes, or finishes what was begun. */
    public boolean takesSpace() {
        return command.kind().takesSpace();
    }

    public Bytes encode() {
        BinaryWriter out = new BinaryWriter(128).u8(VERSION);
        id.write(out);
        out.u64(stampMillis);
        CatalogCommandKind.write(out, command);
        return out.toBytes();
    }

    public static CatalogRequest decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a catalog command");
        }
        CatalogRequest request =
                new CatalogRequest(RequestId.read(in), in.u64(), CatalogCommandKind.read(in));
        in.expectEnd();
        return request;
    }
}

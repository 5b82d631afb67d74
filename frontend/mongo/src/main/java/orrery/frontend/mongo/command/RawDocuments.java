package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import orrery.document.BsonCodec;
import orrery.document.ByteSink;
import orrery.document.Value;
import orrery.model.Bytes;

/** Puts documents together from bytes that are BSON already, without reading them. */
public final class RawDocuments {
    private static final int DOCUMENT = 0x03;
    private static final int ARRAY = 0x04;

    /** The length and the zero at the end. */
    private static final int FRAME_BYTES = 5;

    private RawDocuments() {}

    /**
     * The answer that hands out documents of a cursor.
     *
     * @param batch {@code firstBatch} or {@code nextBatch}
     * @param more fields behind the cursor
     */
    static Bytes cursor(String batch, List<Bytes> rows, long id, String namespace, Value.Obj more) {
        return cursor(batch, rows, id, namespace, new Value.Obj(Map.of()), more);
    }

    /**
     * The answer that hands out documents of a cursor that has more to say.
     *
     * @param inside fields of the cursor behind those that all have
     */
    static Bytes cursor(
            String batch,
            List<Bytes> rows,
            long id,
            String namespace,
            Value.Obj inside,
            Value.Obj more) {
        int size = rows.stream().mapToInt(row -> row.length() + 16).sum();
        ByteSink out = new ByteSink(size + 256);
        int start = begin(out);
        int cursor = element(out, DOCUMENT, "cursor");
        int array = element(out, ARRAY, batch);
        for (int i = 0; i < rows.size(); i++) {
            out.put(DOCUMENT).putAscii(Integer.toString(i)).put(0).put(rows.get(i));
        }
        end(out, array);
        BsonCodec.putFields(Value.Obj.of("id", Doc.int64(id), "ns", Value.of(namespace)), out);
        BsonCodec.putFields(inside, out);
        end(out, cursor);
        BsonCodec.putFields(more, out);
        end(out, start);
        return out.toBytes();
    }

    /** A document with more fields behind its own. */
    public static Bytes extended(Bytes document, Value.Obj more) {
        ByteSink out = new ByteSink(document.length() + 256);
        int start = begin(out);
        out.put(document.unsafeArray(), Integer.BYTES, document.length() - FRAME_BYTES);
        BsonCodec.putFields(more, out);
        end(out, start);
        return out.toBytes();
    }

    private static int element(ByteSink out, int type, String name) {
        out.put(type).putAscii(name).put(0);
        return begin(out);
    }

    private static int begin(ByteSink out) {
        int start = out.length();
        out.put(0).put(0).put(0).put(0);
        return start;
    }

    private static void end(ByteSink out, int start) {
        out.put(0);
        int length = out.length() - start;
        for (int i = 0; i < Integer.BYTES; i++) {
            out.unsafeArray()[start + i] = (byte) (length >>> (8 * i));
        }
    }
}

package orrery.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;

/**
 * The bytes of a path in an index term: different paths have different bytes, and none is the
 * beginning of another. Paths are only looked up, so their order means nothing. Stored; the layout
 * is in docs/formats/index.md.
 */
public final class IndexPathCodec {
    /** Paths that take more are stored as their beginning and a hash. */
    public static final int MAX_BYTES = 255;

    static final int END = 0x00;
    static final int PROPERTY = 0x01;
    static final int ELEMENT = 0x02;
    static final int ESCAPE = 0x03;
    static final int HASH = 0x04;

    /** First byte of a term of a composite index, where other terms have a step. */
    static final int COMPOSITE = 0x05;

    /** First byte of a term of a spatial index; the path follows. */
    static final int SPATIAL = 0x07;

    /** All below belong to the structure and are escaped in names; some are still free. */
    static final int FIRST_PLAIN = 0x08;

    static final int ESCAPE_OFFSET = 0x10;
    static final int HASHED_PREFIX_BYTES = 239;
    static final int HASH_BYTES = 16;

    private IndexPathCodec() {}

    public static Bytes encode(IndexPath path) {
        PathWriter writer = new PathWriter();
        for (IndexPath.Step step : path.steps()) {
            switch (step) {
                case IndexPath.Step.Property(String name) -> writer.pushProperty(name);
                case IndexPath.Step.Element _ -> writer.pushElement();
            }
        }
        ByteSink out = new ByteSink();
        writer.appendTo(out);
        return out.toBytes();
    }

    /**
     * Returns the beginning of the terms of the geometries at a path; the number of a cell follows.
     */
    public static Bytes encodeSpatial(IndexPath path) {
        return new ByteSink().put(SPATIAL).put(encode(path)).toBytes();
    }

    /** Offset behind the path that begins a term which is not composite. */
    static int end(byte[] term) {
        int at = 0;
        while (term[at] != END && term[at] != HASH) {
            at++;
        }
        return term[at] == END ? at + 1 : at + HASH_BYTES + 2;
    }

    /** Empty if the path was stored as a hash. The bytes are a whole path and nothing else. */
    public static Optional<IndexPath> decode(Bytes bytes) {
        List<IndexPath.Step> steps = new ArrayList<>();
        int at = 0;
        while (true) {
            switch (bytes.at(at++)) {
                case END -> {
                    return Optional.of(new IndexPath(steps));
                }
                case ELEMENT -> steps.add(IndexPath.Step.Element.ELEMENT);
                case PROPERTY -> {
                    ByteSink name = new ByteSink();
                    while (bytes.at(at) >= FIRST_PLAIN
                            || bytes.at(at) < 0
                            || bytes.at(at) == ESCAPE) {
                        boolean isEscaped = bytes.at(at) == ESCAPE;
                        if (isEscaped && bytes.at(at + 1) == HASH) {
                            return Optional.empty(); // the cut fell inside an escape
                        }
                        name.put(isEscaped ? bytes.at(at + 1) - ESCAPE_OFFSET : bytes.at(at));
                        at += isEscaped ? 2 : 1;
                    }
                    steps.add(new IndexPath.Step.Property(text(name.toArray())));
                }
                default -> {
                    return Optional.empty();
                }
            }
        }
    }

    /** UTF-8, except that surrogates may stand alone. */
    private static String text(byte[] name) {
        StringBuilder text = new StringBuilder();
        int start = 0;
        for (int i = 0; i + 2 < name.length; i++) {
            if (name[i] == (byte) 0xED && (name[i + 1] & 0xFF) >= 0xA0) {
                text.append(new String(name, start, i - start, StandardCharsets.UTF_8));
                text.append((char) (0xD000 | (name[i + 1] & 0x3F) << 6 | (name[i + 2] & 0x3F)));
                start = i + 3;
                i += 2;
            }
        }
        return text.append(new String(name, start, name.length - start, StandardCharsets.UTF_8))
                .toString();
    }
}

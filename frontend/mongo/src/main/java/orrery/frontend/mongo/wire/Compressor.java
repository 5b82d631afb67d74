package orrery.frontend.mongo.wire;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The ways in which messages may be compressed, with their numbers and names. */
public enum Compressor {
    NONE(0, "noop"),
    SNAPPY(1, "snappy"),
    ZLIB(2, "zlib"),
    ZSTD(3, "zstd");

    private final int number;
    private final String text;

    Compressor(int number, String text) {
        this.number = number;
        this.text = text;
    }

    int number() {
        return number;
    }

    /** Returns the name by which hello offers it. */
    public String text() {
        return text;
    }

    /** Finds a compression that a client offers; nobody negotiates about none. */
    public static Optional<Compressor> named(String name) {
        return Arrays.stream(values())
                .filter(each -> each != NONE && each.text.equals(name))
                .findFirst();
    }

    static Compressor numbered(int number) throws WireException {
        for (Compressor each : values()) {
            if (each.number == number) {
                return each;
            }
        }
        throw new WireException("there is no compressor " + number);
    }

    /**
     * Returns exactly so many bytes, whatever the compressed ones say about themselves.
     *
     * @param size checked by the caller
     */
    byte[] decompress(byte[] from, int offset, int length, int size) throws WireException {
        byte[] out = new byte[size];
        int made;
        try {
            made =
                    switch (this) {
                        case NONE -> copy(from, offset, length, out);
                        case SNAPPY ->
                                new SnappyDecompressor()
                                        .decompress(from, offset, length, out, 0, size);
                        case ZLIB -> inflate(from, offset, length, out);
                        case ZSTD ->
                                new ZstdDecompressor()
                                        .decompress(from, offset, length, out, 0, size);
                    };
        } catch (MalformedInputException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | DataFormatException e) {
            // The library checks most of what it reads, and leaves the rest to the bounds of
            // arrays.
            throw new WireException("the message cannot be decompressed with " + text);
        }
        if (made != size) {
            throw new WireException("the message has another size than it says");
        }
        return out;
    }

    private static int copy(byte[] from, int offset, int length, byte[] out) throws WireException {
        if (length != out.length) {
            throw new WireException("the message has another size than it says");
        }
        System.arraycopy(from, offset, out, 0, length);
        return length;
    }

    private static int inflate(byte[] from, int offset, int length, byte[] out)
            throws DataFormatException, WireException {
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(from, offset, length);
            int made = 0;
            while (made < out.length) {
                int more = inflater.inflate(out, made, out.length - made);
                if (more == 0) {
                    break;
                }
                made += more;
            }
            if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
                throw new WireException("the message has another size than it says");
            }
            return made;
        }
    }

    byte[] compress(byte[] from, int offset) {
        int length = from.length - offset;
        return switch (this) {
            case NONE -> Arrays.copyOfRange(from, offset, from.length);
            case SNAPPY -> {
                SnappyCompressor snappy = new SnappyCompressor();
                byte[] out = new byte[snappy.maxCompressedLength(length)];
                yield Arrays.copyOf(out, snappy.compress(from, offset, length, out, 0, out.length));
            }
            case ZLIB -> deflate(from, offset, length);
            case ZSTD -> {
                ZstdCompressor zstd = new ZstdCompressor();
                byte[] out = new byte[zstd.maxCompressedLength(length)];
                yield Arrays.copyOf(out, zstd.compress(from, offset, length, out, 0, out.length));
            }
        };
    }

    private static byte[] deflate(byte[] from, int offset, int length) {
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(from, offset, length);
            deflater.finish();
            // What zlib makes of bytes that cannot be compressed is hardly longer than they.
            byte[] out = new byte[length + length / 1000 + 64];
            int made = 0;
            while (!deflater.finished()) {
                if (made == out.length) {
                    out = Arrays.copyOf(out, out.length * 2);
                }
                made += deflater.deflate(out, made, out.length - made);
            }
            return Arrays.copyOf(out, made);
        }
    }
}

package orrery.gateway;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Positions in feeds, handed to clients and taken back. A token says only how far the client has
 * come, never which partition that was, so it stays good when partitions split. It is sealed with a
 * key of the account: what comes back altered, or from another feed, is refused.
 */
final class Continuations {
    private static final int VERSION = 1;
    private static final int SEAL_BYTES = 12;
    private static final int NUMBER = 3;
    private static final int OTHER = 4;

    private final Seals seals;

    Continuations(Bytes sealingKey) {
        this.seals = new Seals(sealingKey);
    }

    /** Seals a position; whoever opens it knows its form. */
    String seal(String feed, Bytes content) {
        return sealed(
                feed,
                new BinaryWriter(content.length() + 2)
                        .u8(VERSION)
                        .u8(OTHER)
                        .raw(content)
                        .toArray());
    }

    /** Seals a position that writes itself. */
    String sealPlace(String feed, Consumer<BinaryWriter> content) {
        BinaryWriter out = new BinaryWriter(256);
        content.accept(out);
        return seal(feed, out.toBytes());
    }

    <T> T open(String feed, String token, Function<BinaryReader, T> read) {
        BinaryReader in = opened(feed, token);
        try {
            if (in.u8() != OTHER) {
                throw invalid();
            }
            T content = read.apply(in);
            in.expectEnd();
            return content;
        } catch (MalformedRecordException e) {
            throw invalid();
        }
    }

    String sealNumber(String feed, int number) {
        return sealed(feed, new BinaryWriter(6).u8(VERSION).u8(NUMBER).u32(number).toArray());
    }

    int openNumber(String feed, String token) {
        BinaryReader in = opened(feed, token);
        try {
            if (in.u8() != NUMBER) {
                throw invalid();
            }
            int number = in.u32();
            in.expectEnd();
            return number;
        } catch (MalformedRecordException e) {
            throw invalid();
        }
    }

    private String sealed(String feed, byte[] content) {
        byte[] token = Arrays.copyOf(content, content.length + SEAL_BYTES);
        System.arraycopy(seals.of(feed, content), 0, token, content.length, SEAL_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    private BinaryReader opened(String feed, String token) {
        BinaryReader in =
                new BinaryReader(content(feed, token).orElseThrow(Continuations::invalid));
        if (in.u8() != VERSION) {
            throw invalid();
        }
        return in;
    }

    /** Returns true if a token is one of this feed, as it was given. */
    boolean isOf(String feed, String token) {
        return content(feed, token).isPresent();
    }

    private Optional<byte[]> content(String feed, String token) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (bytes.length <= SEAL_BYTES) {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOf(bytes, bytes.length - SEAL_BYTES);
        byte[] seal = Arrays.copyOfRange(bytes, content.length, bytes.length);
        byte[] expected = Arrays.copyOf(seals.of(feed, content), SEAL_BYTES);
        return MessageDigest.isEqual(seal, expected) ? Optional.of(content) : Optional.empty();
    }

    static OrreryException invalid() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "Invalid Continuation Token. Use the token of the previous page as it was given, with"
                        + " the same request; a query may have another filter, and otherwise"
                        + " needs the same FROM and ORDER BY. Or start again without one.");
    }
}

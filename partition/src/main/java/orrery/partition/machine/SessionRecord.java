package orrery.partition.machine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.Statement;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.Extensions;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * The outcome of a write of a session, by which a write that is sent again gets its first answer.
 *
 * @param timeMillis time of the entry; the record counts for 30 minutes from then
 * @param image what the write answered with: an item before its change, a body after it, or both;
 *     nothing where it answered with neither
 */
public record SessionRecord(long timeMillis, Outcome outcome, Bytes image, Extensions extensions) {
    private static final int VERSION = 1;

    /** Type of an extension: the statements, without their session unless they are sought. */
    private static final int STATEMENTS = 1;

    /** Type of an extension: the answer that the sender wanted to be kept. */
    private static final int ANSWER = 2;

    static SessionRecord of(
            long timeMillis, Statement statement, Outcome outcome, Bytes image, Bytes answer) {
        BinaryWriter numbers =
                new BinaryWriter(32)
                        .u64(statement.transaction())
                        .u32(statement.number())
                        .u32(statement.count());
        if (statement.isSought()) {
            numbers.raw(statement.session());
        }
        Extensions extensions = Extensions.NONE.and(STATEMENTS, numbers.toBytes());
        return new SessionRecord(
                timeMillis,
                outcome,
                image,
                answer.isEmpty() ? extensions : extensions.and(ANSWER, answer));
    }

    /** The image of a change, as it is kept. */
    static Bytes image(@Nullable ItemRecord before, @Nullable ItemRecord after) {
        return before == null && after == null
                ? Bytes.EMPTY
                : new BinaryWriter()
                        .optional(
                                Optional.ofNullable(before),
                                (w, record) -> record.toItem().write(w))
                        .optional(
                                Optional.ofNullable(after).map(ItemRecord::body),
                                BinaryWriter::bytes)
                        .toBytes();
    }

    private record Numbers(long transaction, int first, int count, Bytes session) {}

    private Numbers numbers() {
        BinaryReader in =
                new BinaryReader(
                        extensions
                                .find(STATEMENTS)
                                .orElseThrow(
                                        () ->
                                                new MalformedRecordException(
                                                        "a session record has no statement")));
        return new Numbers(in.u64(), in.u32(), in.u32(), Bytes.wrap(in.rest()));
    }

    long transaction() {
        return numbers().transaction();
    }

    /** The number of the first statement. */
    public int firstStatement() {
        return numbers().first();
    }

    /** Returns true if it has one of the statements, which are of its session. */
    boolean has(Statement statement) {
        Numbers own = numbers();
        return own.transaction() == statement.transaction()
                && statement.number() < own.first() + own.count()
                && own.first() < statement.number() + statement.count();
    }

    /** The row that leads here, if the statement is sought. */
    Optional<byte[]> place(int container) {
        Numbers own = numbers();
        return own.session().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Keys.sessionPlace(
                                container, own.session(), own.transaction(), own.first()));
    }

    /** The answer that the sender had kept with it; empty for nothing. */
    public Bytes answer() {
        return extensions.find(ANSWER).orElse(Bytes.EMPTY);
    }

    /** The version that was replaced or deleted, if the write was to show it. */
    public Optional<Item> before() {
        return image.isEmpty() ? Optional.empty() : new BinaryReader(image).optional(Item::read);
    }

    /** The body that the write made, if it was to show it. */
    public Optional<Bytes> after() {
        if (image.isEmpty()) {
            return Optional.empty();
        }
        BinaryReader in = new BinaryReader(image);
        in.optional(Item::read);
        return in.optional(BinaryReader::bytes);
    }

    byte[] encode() {
        BinaryWriter out = new BinaryWriter(160 + image.length()).u8(VERSION).u64(timeMillis);
        Outcome.write(out, outcome);
        return out.bytes(image).raw(extensions.encoded()).toArray();
    }

    /** The time in a row, without reading the rest of it. */
    public static long timeMillis(byte[] row) {
        return reader(row).u64();
    }

    static SessionRecord decode(byte[] bytes) {
        BinaryReader in = reader(bytes);
        return new SessionRecord(
                in.u64(), Outcome.read(in), in.bytes(), Extensions.read(in, in.remaining()));
    }

    private static BinaryReader reader(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a session record");
        }
        return in;
    }
}

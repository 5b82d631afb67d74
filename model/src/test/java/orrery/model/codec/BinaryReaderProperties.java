package orrery.model.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Bytes;

final class BinaryReaderProperties {
    @Provide
    Arbitrary<List<Consumer<BinaryReader>>> programs() {
        Arbitrary<Consumer<BinaryReader>> reads =
                Arbitraries.of(
                        List.of(
                                BinaryReader::u8,
                                BinaryReader::u32,
                                BinaryReader::u64,
                                BinaryReader::varint,
                                BinaryReader::varint32,
                                BinaryReader::count,
                                BinaryReader::bool,
                                BinaryReader::bytes,
                                BinaryReader::string,
                                BinaryReader::expectEnd,
                                in -> in.enumeration(TimeUnit.class),
                                in -> in.optional(BinaryReader::string),
                                in -> in.list(r -> r.list(BinaryReader::string)),
                                in -> in.raw(in.varint32())));
        return reads.list().ofMinSize(1).ofMaxSize(8);
    }

    /** Whatever is asked for, of whatever bytes: never past the end, never another exception. */
    @Property
    void anyBytesAreReadOrMalformed(
            @ForAll byte[] bytes, @ForAll("programs") List<Consumer<BinaryReader>> program) {
        BinaryReader in = new BinaryReader(bytes);
        try {
            for (Consumer<BinaryReader> read : program) {
                read.accept(in);
                assertThat(in.remaining()).isBetween(0, bytes.length);
            }
        } catch (MalformedRecordException expected) {
            assertThat(in.remaining()).isBetween(0, bytes.length);
        }
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void whatIsWrittenReadsBack(
            @ForAll int number,
            @ForAll long large,
            @ForAll byte[] bytes,
            @ForAll boolean flag,
            @ForAll TimeUnit unit,
            @ForAll List<Long> list) {
        byte[] written =
                new BinaryWriter()
                        .u8(number)
                        .u32(number)
                        .u64(large)
                        .varint(large)
                        .bool(flag)
                        .enumeration(unit)
                        .optional(Optional.of(large), BinaryWriter::varint)
                        .list(list, BinaryWriter::varint)
                        .bytes(Bytes.wrap(bytes.clone()))
                        .raw(bytes)
                        .toArray();

        BinaryReader in = new BinaryReader(written);
        assertThat(in.u8()).isEqualTo(number & 0xFF);
        assertThat(in.u32()).isEqualTo(number);
        assertThat(in.u64()).isEqualTo(large);
        assertThat(in.varint()).isEqualTo(large);
        assertThat(in.bool()).isEqualTo(flag);
        assertThat(in.enumeration(TimeUnit.class)).isEqualTo(unit);
        assertThat(in.optional(BinaryReader::varint)).contains(large);
        assertThat(in.list(BinaryReader::varint)).isEqualTo(list);
        assertThat(in.bytes()).isEqualTo(Bytes.wrap(bytes));
        assertThat(in.rest()).isEqualTo(bytes);
        in.expectEnd();
    }

    @Example
    void unknownConstantIsMalformed() {
        BinaryReader in = new BinaryReader(new byte[] {(byte) TimeUnit.values().length});

        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> in.enumeration(TimeUnit.class))
                .withMessage("unknown TimeUnit");
    }

    @Example
    void refusedValueIsMalformed() {
        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(
                        () ->
                                new BinaryReader(new byte[0])
                                        .checked(
                                                _ -> {
                                                    throw new IllegalArgumentException("no");
                                                }))
                .withCauseInstanceOf(IllegalArgumentException.class);
    }
}

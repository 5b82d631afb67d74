package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.RequestKind;
import orrery.partition.api.ResponseKind;
import orrery.replication.EntryLimits;
import orrery.replication.LogEntry;

/** The largest message of each kind fits a frame between nodes, and larger ones are refused. */
class LargestMessagesTest {
    @ParameterizedTest
    @EnumSource(RequestKind.class)
    void requests(RequestKind kind) {
        PartitionRequest request = LargestMessages.request(kind);
        assertThat(request.kind()).isEqualTo(kind);

        Bytes encoded = LargestMessages.envelope(request).encode();

        assertThat(encoded.length()).isLessThanOrEqualTo(SizeLimits.MAX_MESSAGE_BYTES);
        assertThat(PartitionEnvelope.decode(encoded).request().kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @EnumSource(ResponseKind.class)
    void responses(ResponseKind kind) {
        PartitionResponse response = LargestMessages.response(kind);
        assertThat(response.kind()).isEqualTo(kind);

        Bytes encoded = PartitionResponse.encode(response);

        assertThat(encoded.length()).isLessThanOrEqualTo(SizeLimits.MAX_MESSAGE_BYTES);
        assertThat(PartitionResponse.decode(encoded).kind()).isEqualTo(kind);
    }

    @Test
    void commandsAndTheirEntries() {
        Set<Class<?>> seen = new HashSet<>();
        for (Command command : LargestMessages.commands()) {
            seen.add(command.getClass());
            Bytes encoded = Command.encode(command);
            Bytes entry =
                    new LogEntry<>(1, Long.MAX_VALUE, Long.MAX_VALUE, -1, List.of(command))
                            .encode(_ -> encoded);

            assertThat(encoded.length())
                    .as(command.getClass().getSimpleName())
                    .isLessThanOrEqualTo(Command.sizeOf(command));
            assertThat(Command.sizeOf(command)).isLessThanOrEqualTo(SizeLimits.MAX_COMMAND_BYTES);
            assertThat(entry.length()).isLessThanOrEqualTo(SizeLimits.MAX_MESSAGE_BYTES);
        }
        assertThat(seen).isEqualTo(kinds(Command.class));
    }

    /** Entries are packed by the sizes, so none may be too small, however small the command is. */
    @Test
    void noCommandIsLargerThanItsSize() {
        MessageSamples.commands()
                .forEach(
                        (name, command) ->
                                assertThat(Command.encode(command).length())
                                        .as(name)
                                        .isLessThanOrEqualTo(Command.sizeOf(command)));
    }

    @Test
    void aPackedEntryFitsAMessage() {
        EntryLimits limits = EntryLimits.DEFAULT;
        int lengths = 5 * limits.maxCommands();

        assertThat(limits.maxBytes() + lengths + 64).isLessThan(SizeLimits.MAX_MESSAGE_BYTES);
        assertThat(limits.maxCommandBytes() + 64).isLessThan(SizeLimits.MAX_MESSAGE_BYTES);
    }

    @Test
    void aLargerMessageIsNotSent() {
        Bytes large = LargestMessages.bytes(SizeLimits.MAX_MESSAGE_BYTES);

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(
                        () ->
                                LargestMessages.envelope(
                                                new ReadRequest.ReadFeed(
                                                        LargestMessages.PARTITION,
                                                        LargestMessages.KEYS,
                                                        Optional.empty(),
                                                        Optional.of(large),
                                                        1,
                                                        1,
                                                        0))
                                        .encode())
                .matches(refusal -> refusal.code() == ErrorCode.TOO_LARGE);
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> PartitionResponse.encode(LargestMessages.executed(large)))
                .matches(refusal -> refusal.code() == ErrorCode.TOO_LARGE);
    }

    private static Set<Class<?>> kinds(Class<?> sealed) {
        Set<Class<?>> kinds = new HashSet<>();
        Stream.of(sealed.getPermittedSubclasses())
                .forEach(
                        each -> {
                            if (each.isSealed()) {
                                kinds.addAll(kinds(each));
                            } else {
                                kinds.add(each);
                            }
                        });
        return kinds;
    }
}

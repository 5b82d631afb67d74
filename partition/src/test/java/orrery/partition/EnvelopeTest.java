package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.metering.RequestTerms;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadMode;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SetRequest;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;
import orrery.storage.StoreFailure;

/** A host does what the envelope of a request says, or says why it cannot. */
class EnvelopeTest {
    private static final UUID ACTIVITY = new UUID(0x0123_4567_89AB_CDEFL, 1);

    private HostFixture host;
    private ItemKey key;
    private volatile boolean broken;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH, this::breakable, _ -> {});
        key = host.key("i1", "north");
        host.create(key, "{\"id\":\"i1\",\"pk\":\"north\"}");
    }

    @AfterEach
    void close() {
        host.close();
    }

    private CommandLog<Command, Outcome> breakable(CommandLog<Command, Outcome> log) {
        return new CommandLog<>() {
            @Override
            public Outcome submit(Command command, Duration timeout) {
                if (broken) {
                    throw new StoreFailure("the disk is gone");
                }
                return log.submit(command, timeout);
            }

            @Override
            public void close() {
                log.close();
            }
        };
    }

    private PartitionEnvelope envelope(long setEpoch, ReadMode readMode) {
        return new PartitionEnvelope(
                PartitionEnvelope.LEVEL,
                1,
                setEpoch,
                readMode,
                HostFixture.PATIENCE.toMillis(),
                ACTIVITY,
                RequestTerms.STANDARD,
                false,
                new ReadRequest.ReadItem(HostFixture.PARTITION, key, 0));
    }

    @Test
    void theLeaderAnswers() {
        assertThat(host.call(envelope(0, ReadMode.LEADER))).isInstanceOf(ReadResponse.Found.class);
    }

    @Test
    void otherReplicasDoNotAnswerYet() {
        PartitionResponse response = host.call(envelope(0, ReadMode.ANY_REPLICA));

        assertThat(HostFixture.failureOf(response)).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(((PartitionResponse.Failed) response).text()).contains("leader");
    }

    @Test
    void aSetWithOtherMembersThanTheSenderKnowsDoesNotAnswer() {
        assertThat(HostFixture.failureOf(host.call(envelope(1, ReadMode.LEADER))))
                .isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void theLogNamesTheActivityThatMetAnUnexpectedFailure() {
        List<String> said = new ArrayList<>();
        Logger logger = Logger.getLogger(PartitionHost.class.getName());
        Handler handler = new Listener(said);
        logger.addHandler(handler);
        try {
            broken = true;
            PartitionRequest write =
                    new WriteRequest.WriteItem(
                            HostFixture.PARTITION,
                            host.newRequest(),
                            key,
                            new WriteAction.Upsert(Bytes.ofUtf8("{\"id\":\"i1\"}")),
                            Precondition.NONE);
            PartitionResponse response =
                    host.call(
                            new PartitionEnvelope(
                                    1,
                                    write,
                                    RequestTerms.STANDARD,
                                    ACTIVITY,
                                    HostFixture.PATIENCE));

            assertThat(HostFixture.failureOf(response)).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(said).singleElement().asString().contains(ACTIVITY.toString(), "7/0");
        } finally {
            broken = false;
            logger.removeHandler(handler);
        }
    }

    private static final class Listener extends Handler {
        private final List<String> said;

        Listener(List<String> said) {
            this.said = said;
        }

        @Override
        public void publish(LogRecord record) {
            said.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void largePartitionsAreListedInPages() {
        List<PartitionId> all = new ArrayList<>(List.of(HostFixture.PARTITION));
        for (int container = 8; container < 11; container++) {
            all.add(opened(new PartitionId(container, 0)));
        }

        assertThat(list(-1, Optional.empty(), 3))
                .isEqualTo(new ControlResponse.LargePartitions(all.subList(0, 3), true));
        assertThat(list(-1, Optional.of(all.get(2)), 3))
                .isEqualTo(new ControlResponse.LargePartitions(all.subList(3, 4), false));
        assertThat(list(-1, Optional.empty(), 4))
                .isEqualTo(new ControlResponse.LargePartitions(all, false));
        assertThat(list(0, Optional.empty(), 3))
                .isEqualTo(
                        new ControlResponse.LargePartitions(List.of(HostFixture.PARTITION), false));
    }

    private PartitionId opened(PartitionId id) {
        PartitionRequest open =
                new ControlRequest.Open(
                        id, KeyRange.FULL, id.range(), host.definition(1, IndexingPolicy.DEFAULT));
        assertThat(host.call(open)).isEqualTo(new ControlResponse.Done());
        return id;
    }

    private PartitionResponse list(long bytes, Optional<PartitionId> after, int max) {
        return host.call(new SetRequest.ListLarge(bytes, after, max));
    }
}

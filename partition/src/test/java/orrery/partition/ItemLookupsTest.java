package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.metering.Charge;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;

/** Many items of one partition in one message. */
class ItemLookupsTest {
    @TempDir Path directory;
    private HostFixture host;

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private ItemKey key(int number) {
        return host.key("i" + number, "k" + number % 3);
    }

    private long create(int number, int bytes) {
        return host.create(
                        key(number),
                        "{\"id\":\"i%d\",\"pk\":\"k%d\",\"x\":\"%s\"}"
                                .formatted(number, number % 3, "x".repeat(bytes)))
                .headLsn();
    }

    private ReadResponse.FoundMany read(List<ItemKey> keys, int maxBytes) {
        return (ReadResponse.FoundMany)
                host.call(new ReadRequest.ReadItems(HostFixture.PARTITION, keys, maxBytes, 0));
    }

    private static List<Optional<Long>> lsns(ReadResponse.FoundMany found) {
        return found.items().stream().map(item -> item.map(each -> each.lsn())).toList();
    }

    @Test
    void itemsComeInTheOrderAskedAndMissingOnesAreTold() {
        long one = create(1, 10);
        long two = create(2, 5000);

        ReadResponse.FoundMany found =
                read(List.of(key(2), key(9), key(1), key(2)), HostFixture.MB);

        assertThat(lsns(found))
                .containsExactly(
                        Optional.of(two), Optional.empty(), Optional.of(one), Optional.of(two));
        assertThat(found.headLsn()).isEqualTo(two);
    }

    @Test
    void theChargeIsThatOfSingleReads() {
        create(1, 10);
        create(2, 5000);
        Charge alone = host.find(key(1)).charge().plus(host.find(key(2)).charge());

        Charge together = read(List.of(key(1), key(2)), HostFixture.MB).charge();

        assertThat(together.ru()).isEqualTo(alone.ru());
        assertThat(read(List.of(key(1), key(9)), HostFixture.MB).charge().ru())
                .isEqualTo(host.find(key(1)).charge().ru() + 1);
    }

    @Test
    void anAnswerEndsBeforeTheItemThatHasNoRoom() {
        List<ItemKey> keys = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            create(i, 10_000);
            keys.add(key(i));
        }
        List<Optional<Long>> seen = new ArrayList<>();
        int answers = 0;
        while (seen.size() < keys.size()) {
            ReadResponse.FoundMany found = read(keys.subList(seen.size(), keys.size()), 31_500);
            assertThat(found.items()).hasSizeBetween(1, 3);
            seen.addAll(lsns(found));
            answers++;
        }
        assertThat(seen).doesNotHaveDuplicates().hasSize(40);
        assertThat(answers).isEqualTo(14);
        assertThat(read(keys, 1).items()).as("one always fits").hasSize(1);
    }

    @Test
    void keysOfAnotherPartitionAndLaterSessionsAreRefused() {
        create(1, 10);
        long head = create(2, 10);
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        new ReadRequest.ReadItems(
                                                HostFixture.PARTITION,
                                                List.of(key(1)),
                                                HostFixture.MB,
                                                head + 1))))
                .isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
        host.call(new ControlRequest.Split(HostFixture.PARTITION, 5, 6, 10, 11, SplitAim.OPERATOR));
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        new ReadRequest.ReadItems(
                                                HostFixture.PARTITION,
                                                List.of(key(1)),
                                                HostFixture.MB,
                                                0))))
                .isEqualTo(ErrorCode.RANGE_GONE);
    }

    @Test
    void aMessageHasAtMostAThousandKeys() {
        List<ItemKey> most = Collections.nCopies(ReadRequest.MAX_LOOKUPS, key(1));
        assertThat(read(most, HostFixture.MB).items()).hasSize(1000);
        List<ItemKey> more = Collections.nCopies(ReadRequest.MAX_LOOKUPS + 1, key(1));
        assertThatThrownBy(() -> read(more, HostFixture.MB))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(List.of(), HostFixture.MB))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

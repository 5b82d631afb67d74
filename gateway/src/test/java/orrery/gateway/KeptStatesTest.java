package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.model.memory.MemoryBudget;
import orrery.query.evaluate.ValueHash;

class KeptStatesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MB = 1 << 20;
    private static final KeptStates.Feed FEED = feed(1, KeyRange.FULL);

    private final AtomicLong nanos = new AtomicLong(-5 * SECOND);
    private final KeptStates states = new KeptStates(new SecureRandom(), nanos::get);
    private final MemoryBudget budget = new MemoryBudget(16 * MB);

    private static KeptStates.Feed feed(int container, KeyRange keys) {
        return new KeptStates.Feed(
                container,
                Bytes.ofUtf8("binding"),
                new FeedExtent(keys, Optional.empty(), OptionalInt.empty(), false));
    }

    /** Does what a request does. */
    private static <T> T request(MemoryBudget budget, Supplier<T> work) {
        try (MemoryAccount account = budget.open()) {
            return account.during(work);
        }
    }

    private static SeenState state(int results) {
        SeenState state = new SeenState(0, List.of());
        for (int i = 0; i < results; i++) {
            state.addIfUnseen(ValueHash.of(Value.of(i)));
        }
        return state;
    }

    private boolean keep(Bytes name, KeptState state) {
        return request(budget, () -> states.keep(name, FEED, state));
    }

    private Optional<KeptState> take(Bytes name) {
        return request(budget, () -> states.take(name, FEED));
    }

    @Test
    void aStateIsTakenOnce() {
        Bytes name = states.newName();
        SeenState state = state(100);
        assertThat(keep(name, state)).isTrue();
        assertThat(budget.reserved()).isEqualTo(state.sizeBytes());
        assertThat(take(states.newName())).isEmpty();
        assertThat(take(name)).contains(state);
        assertThat(take(name)).isEmpty();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void anotherQueryDoesNotGetIt() {
        Bytes name = states.newName();
        keep(name, state(1));
        KeyRange part = new KeyRange(EffectiveKey.MIN, EffectiveKey.ofHex("80"));
        for (KeptStates.Feed other : List.of(feed(2, KeyRange.FULL), feed(1, part))) {
            assertThat(request(budget, () -> states.take(name, other))).isEmpty();
        }
        assertThat(take(name)).isPresent();
    }

    @Test
    void itIsKeptForAMinute() {
        Bytes first = states.newName();
        Bytes second = states.newName();
        keep(first, state(1));
        nanos.addAndGet(60 * SECOND);
        keep(second, state(1));
        assertThat(take(first)).isPresent();
        nanos.addAndGet(60 * SECOND + 1);
        assertThat(take(second)).isEmpty();
        assertThat(budget.reserved()).isZero();
    }

    /** Two clients may follow one token, and each keeps what it has. */
    @Test
    void theLaterOfTwoWithOneNameStays() {
        Bytes name = states.newName();
        SeenState later = state(1000);
        keep(name, state(10));
        keep(name, later);
        assertThat(budget.reserved()).isEqualTo(later.sizeBytes());
        assertThat(take(name)).contains(later);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void theOldestGoesWhereThereAreTooMany() {
        List<Bytes> names = new ArrayList<>();
        for (int i = 0; i < 257; i++) {
            names.add(states.newName());
            keep(names.getLast(), state(1));
        }
        assertThat(names).doesNotHaveDuplicates();
        assertThat(budget.reserved()).isEqualTo(256 * state(1).sizeBytes());
        assertThat(take(names.getFirst())).isEmpty();
        assertThat(take(names.get(1))).isPresent();
        assertThat(take(names.getLast())).isPresent();
    }

    /** An eighth of the budget is for all of them: 2 MB, and one of these takes 1.25. */
    @Test
    void theOldestGoesWhereMemoryIsShort() {
        Bytes first = states.newName();
        Bytes second = states.newName();
        SeenState large = state(20_000);
        assertThat(large.sizeBytes()).isBetween(MB, 2 * MB);
        assertThat(keep(first, large)).isTrue();
        assertThat(keep(second, state(20_000))).isTrue();
        assertThat(take(first)).isEmpty();
        assertThat(take(second)).isPresent();
        assertThat(keep(first, state(40_000))).as("more than an eighth").isFalse();
        assertThat(budget.reserved()).isZero();
    }

    /** The client comes again with the same token, and then there may be memory. */
    @Test
    void aRequestThatHasNoMemoryForItLeavesItThere() {
        Bytes name = states.newName();
        SeenState large = state(20_000);
        keep(name, large);
        budget.reserve(15 * MB);
        OrreryException refused = catchThrowableOfType(OrreryException.class, () -> take(name));
        assertThat(refused.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        budget.release(15 * MB);
        assertThat(budget.reserved()).isEqualTo(large.sizeBytes());
        assertThat(take(name)).contains(large);
        assertThat(budget.reserved()).isZero();
    }
}

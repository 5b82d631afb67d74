package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Calls that main code does not make, each with what to use instead. Time and chance come in from
 * outside, because a simulation replays them from a seed.
 */
class BannedCallsTest {
    /**
     * @param method its name; {@code <init>} for a constructor
     * @param parameters how many it takes, or -1 for any
     */
    private record Ban(String type, String method, int parameters, String instead) {
        boolean covers(JavaCodeUnitAccess<?> access) {
            return type.equals(access.getTargetOwner().getName())
                    && method.equals(access.getTarget().getName())
                    && (parameters < 0
                            || parameters == access.getTarget().getRawParameterTypes().size());
        }
    }

    private static final String CLOCK = "take a java.time.InstantSource as a parameter";
    private static final String CHANCE = "take a java.util.random.RandomGenerator as a parameter";
    private static final String THREADS = "use an executor of our own";

    private static final List<Ban> BANS =
            List.of(
                    new Ban("java.lang.System", "currentTimeMillis", 0, CLOCK),
                    new Ban("java.time.Instant", "now", 0, CLOCK),
                    new Ban("java.time.LocalDate", "now", 0, CLOCK),
                    new Ban("java.time.LocalDateTime", "now", 0, CLOCK),
                    new Ban("java.time.OffsetDateTime", "now", 0, CLOCK),
                    new Ban("java.time.ZonedDateTime", "now", 0, CLOCK),
                    new Ban("java.util.Date", "<init>", 0, CLOCK),
                    new Ban("java.util.Random", "<init>", 0, CHANCE),
                    new Ban("java.lang.Math", "random", 0, CHANCE),
                    new Ban("java.lang.Thread", "sleep", -1, "wait for the event, to a deadline"),
                    new Ban("java.lang.String", "getBytes", 0, "name the character set"),
                    new Ban("java.util.stream.Stream", "parallel", 0, THREADS),
                    new Ban("java.util.stream.IntStream", "parallel", 0, THREADS),
                    new Ban("java.util.stream.LongStream", "parallel", 0, THREADS));

    /**
     * Classes that may use the real clock and real randomness. Nothing but the assembly point
     * belongs here, and each entry needs its reason beside it.
     */
    private static final Set<String> ALLOWED = Set.of();

    @Test
    void mainCodeMakesNoBannedCall() {
        var found = new TreeSet<String>();
        for (var type : MainClasses.read()) {
            if (ALLOWED.contains(type.getName())) {
                continue;
            }
            type.getCodeUnits().stream()
                    .flatMap(BannedCallsTest::accesses)
                    .forEach(access -> instead(access).ifPresent(found::add));
        }
        assertThat(found).isEmpty();
    }

    /** Calls, and references such as {@code Instant::now}. */
    private static Stream<JavaCodeUnitAccess<?>> accesses(JavaCodeUnit unit) {
        return Stream.<Collection<? extends JavaCodeUnitAccess<?>>>of(
                        unit.getMethodCallsFromSelf(),
                        unit.getConstructorCallsFromSelf(),
                        unit.getMethodReferencesFromSelf(),
                        unit.getConstructorReferencesFromSelf())
                .flatMap(Collection::stream);
    }

    private static Optional<String> instead(JavaCodeUnitAccess<?> access) {
        // Declared in Collection, called on any list or set.
        if (access.getTarget().getName().equals("parallelStream")) {
            return Optional.of(access.getDescription() + " → " + THREADS);
        }
        return BANS.stream()
                .filter(ban -> ban.covers(access))
                .map(ban -> access.getDescription() + " → " + ban.instead())
                .findFirst();
    }
}

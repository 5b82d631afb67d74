package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Applying a command gives the same store on every replica, whatever its release, JDK, clock or
 * configuration. So everything that {@code partition.machine} can reach, through however many
 * classes, is looked at, not only what it imports itself.
 */
class PureApplyTest {
    private static final JavaClasses MAIN = MainClasses.read();

    private static final String MACHINE = "orrery.partition.machine";

    /** No class that applying reaches may use anything of these. */
    private static final List<String> FORBIDDEN =
            List.of(
                    "orrery.query.",
                    "orrery.script.",
                    "orrery.replication.",
                    "com.google.re2j.",
                    "org.antlr.",
                    "org.graalvm.",
                    "org.rocksdb.",
                    "java.net.",
                    "java.nio.file.",
                    "java.nio.channels.",
                    "java.time.",
                    "java.util.random.",
                    "java.util.Random",
                    "java.util.concurrent.ThreadLocalRandom",
                    "java.security.SecureRandom",
                    "java.util.regex.",
                    "java.text.",
                    "java.io.File",
                    "java.lang.Thread",
                    "java.lang.ProcessHandle");

    /**
     * Code of others that decides about stored bytes. A change of their results is a change of the
     * format: it needs a higher feature level, and the golden terms in {@code document} tell. Which
     * packages may be here:
     *
     * <ul>
     *   <li>Jackson reads bodies that were checked before the log; golden terms of numbers and
     *       strings are in index-values.hex.
     *   <li>S2, JTS and GeographicLib give the cells of geometries; golden terms are in
     *       index-spatial.hex.
     *   <li>The BSON library holds decimals of 128 bits; golden terms are in index-bson-values.hex.
     * </ul>
     *
     * <p>Our own code there is tied to the level in the same way: the compilation of policies
     * (index-terms.hex), and the rules by which values are cut and places covered (level-terms.hex
     * in {@code partition}).
     */
    private static final Set<String> FOREIGN =
            Set.of(
                    "com.fasterxml.jackson.",
                    "com.google.common.geometry.",
                    "net.sf.geographiclib.",
                    "org.bson.types.",
                    "org.locationtech.jts.");

    /** An amount of time and no clock: an error may say when to try again. */
    private static final String DURATION = "java.time.Duration";

    private final Map<String, String> reachedFrom = new TreeMap<>();

    @Test
    void applyReachesNothingThatDiffersBetweenReplicas() {
        Set<String> offences = new TreeSet<>();
        for (JavaClass type : reached()) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = dependency.getTargetClass().getBaseComponentType().getName();
                if (isForbidden(target) || isUnknown(target)) {
                    offences.add(target + " by " + way(type.getName()));
                }
            }
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                if (isClock(access)) {
                    offences.add(access.getTarget().getFullName() + " by " + way(type.getName()));
                }
            }
        }
        assertThat(offences).as("what the state machine reaches").isEmpty();
    }

    private List<JavaClass> reached() {
        Deque<JavaClass> due = new ArrayDeque<>();
        List<JavaClass> all = new ArrayList<>();
        for (JavaClass type : MAIN) {
            if (type.getPackageName().startsWith(MACHINE)) {
                reachedFrom.put(type.getName(), "");
                due.add(type);
            }
        }
        while (!due.isEmpty()) {
            JavaClass type = due.remove();
            all.add(type);
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getName().startsWith("orrery.")
                        && reachedFrom.putIfAbsent(target.getName(), type.getName()) == null) {
                    due.add(target);
                }
            }
        }
        return all;
    }

    private static boolean isForbidden(String target) {
        return !target.equals(DURATION) && FORBIDDEN.stream().anyMatch(target::startsWith);
    }

    private static boolean isUnknown(String target) {
        boolean isForeign =
                !target.startsWith("orrery.")
                        && !target.startsWith("java.")
                        && !target.startsWith("org.jspecify.")
                        && target.contains(".");
        return isForeign && FOREIGN.stream().noneMatch(target::startsWith);
    }

    private static boolean isClock(JavaAccess<?> access) {
        String name = access.getTarget().getFullName();
        return name.startsWith("java.lang.System.nanoTime")
                || name.startsWith("java.lang.System.currentTimeMillis")
                || name.startsWith("java.lang.System.getProperty")
                || name.startsWith("java.lang.System.getenv")
                || name.startsWith("java.lang.Math.random")
                || name.startsWith("java.util.UUID.randomUUID");
    }

    private String way(String type) {
        StringBuilder way = new StringBuilder(type);
        String at = reachedFrom.getOrDefault(type, "");
        while (!at.isEmpty()) {
            way.append(" < ").append(at);
            at = reachedFrom.getOrDefault(at, "");
        }
        return way.toString();
    }
}

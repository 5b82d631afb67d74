package orrery.distribution;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks which packages may import which. Maven modules keep most of it; this says the rest, so
 * that a dependency added to a pom in a hurry does not become architecture.
 *
 * <p>A package that is in no module of {@link #MODULES} fails the test: adding one is a decision.
 */
class ImportRulesTest {
    /** Module → what it may use besides itself, the JDK and annotations. */
    private static final Map<String, List<String>> MODULES =
            Map.ofEntries(
                    Map.entry("orrery.model", List.of()),
                    Map.entry(
                            "orrery.document",
                            List.of(
                                    "orrery.model..",
                                    "com.fasterxml.jackson..",
                                    "com.google.common.geometry..",
                                    "net.sf.geographiclib..",
                                    "org.bson.types..",
                                    "org.locationtech.jts..")),
                    Map.entry(
                            "orrery.script",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "org.graalvm.polyglot..",
                                    "com.sun.management..")),
                    Map.entry(
                            "orrery.query",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "org.antlr..",
                                    "com.google.re2j..")),
                    Map.entry("orrery.storage", List.of("orrery.model..", "org.rocksdb..")),
                    Map.entry("orrery.replication", List.of("orrery.model..")),
                    Map.entry(
                            "orrery.partition",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.query..",
                                    "orrery.script..",
                                    "orrery.storage..",
                                    "orrery.replication..")),
                    Map.entry(
                            "orrery.cluster",
                            List.of(
                                    "orrery.model..",
                                    "orrery.replication..",
                                    "orrery.storage..",
                                    "orrery.partition.api..")),
                    Map.entry(
                            "orrery.gateway",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.query..",
                                    "orrery.script..",
                                    "orrery.partition.api..",
                                    "orrery.cluster.api..")),
                    Map.entry("orrery.frontend.http", List.of("orrery.model..", "io.netty..")),
                    Map.entry(
                            "orrery.frontend.rest",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.frontend.http..")),
                    Map.entry(
                            "orrery.frontend.sql",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.query..",
                                    "orrery.gateway.api..",
                                    "orrery.frontend.http..",
                                    "orrery.frontend.rest..",
                                    "com.fasterxml.jackson..")),
                    Map.entry(
                            "orrery.frontend.operator",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.gateway.api..",
                                    "orrery.frontend.http..",
                                    "orrery.frontend.rest..")),
                    // The only assembly point: everything.
                    Map.entry(
                            "orrery.server",
                            List.of(
                                    "orrery..",
                                    "picocli..",
                                    "org.bouncycastle..",
                                    "io.netty..",
                                    "io.prometheus.metrics..",
                                    "com.sun.management..")),
                    // The server in other people's tests: what it is started and reset by, and
                    // nothing of its inside.
                    Map.entry(
                            "orrery.junit",
                            List.of("orrery.model..", "orrery.server", "org.junit.jupiter.api..")));

    private static final JavaClasses MAIN = MainClasses.read();

    @TestFactory
    Stream<DynamicTest> modulesUseOnlyWhatTheTableAllows() {
        return MODULES.keySet().stream()
                .sorted()
                .map(name -> DynamicTest.dynamicTest(name, () -> rule(name).check(MAIN)));
    }

    private static ArchRule rule(String module) {
        var uses = MODULES.getOrDefault(module, List.of());
        var allowed = new ArrayList<>(uses);
        allowed.addAll(List.of("java..", "javax..", "org.jspecify.annotations..", module + ".."));
        var isAllowed = resideInAnyPackage(allowed.toArray(String[]::new));
        return classes()
                .that()
                .resideInAPackage(module + "..")
                .should()
                .onlyDependOnClassesThat(
                        DescribedPredicate.describe(
                                "it may use",
                                (JavaClass type) -> {
                                    // ArchUnit gives byte[] no package.
                                    var base = type.getBaseComponentType();
                                    return base.isPrimitive() || isAllowed.test(base);
                                }))
                .because("module " + module + " uses the JDK and " + uses)
                .allowEmptyShould(true);
    }

    @Test
    void everyClassBelongsToAModuleOfTheTable() {
        var unknown = new TreeSet<String>();
        for (var type : MAIN) {
            var home = type.getPackageName() + ".";
            if (MODULES.keySet().stream().noneMatch(module -> home.startsWith(module + "."))) {
                unknown.add(type.getPackageName());
            }
        }
        assertThat(unknown).as("packages outside the table of modules").isEmpty();
    }

    @Test
    void frontendsReachDataOnlyThroughTheGateway() {
        noClasses()
                .that()
                .resideInAPackage("orrery.frontend..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "orrery.partition..",
                        "orrery.storage..",
                        "orrery.cluster..",
                        "org.rocksdb..")
                .because("a front-end decodes, calls the gateway and encodes")
                .allowEmptyShould(true)
                .check(MAIN);
    }

    /** Front-ends share these; all other packages of {@code orrery.frontend} are front-ends. */
    private static final List<String> SHARED =
            List.of("orrery.frontend.http", "orrery.frontend.rest");

    @TestFactory
    Stream<DynamicTest> noFrontendImportsAnother() {
        return MODULES.keySet().stream()
                .filter(module -> module.startsWith("orrery.frontend."))
                .sorted()
                .map(name -> DynamicTest.dynamicTest(name, () -> alone(name).check(MAIN)));
    }

    private static ArchRule alone(String frontend) {
        var others =
                MODULES.keySet().stream()
                        .filter(module -> module.startsWith("orrery.frontend."))
                        .filter(module -> !module.equals(frontend) && !SHARED.contains(module))
                        .map(module -> module + "..")
                        .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(frontend + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(others))
                .because("what two front-ends need belongs to one of " + SHARED)
                .allowEmptyShould(true);
    }

    @Test
    void frontendsSeeNothingOfTheGatewayButItsDoor() {
        noClasses()
                .that()
                .resideInAPackage("orrery.frontend..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("orrery.gateway..")
                                .and(resideOutsideOfPackages("orrery.gateway.api..")))
                .because("who may do what, and where items are, is decided behind the door")
                .check(MAIN);
    }

    @Test
    void theDoorKnowsNothingBehindIt() {
        classes()
                .that()
                .resideInAPackage("orrery.gateway.api..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.jspecify.annotations..",
                        "orrery.model..",
                        "orrery.document..",
                        "orrery.query..",
                        "orrery.gateway.api..")
                .because("front-ends are tested with doors that nothing is behind")
                .check(MAIN);
    }

    @Test
    void theMeterKnowsNothingOfWhatIsMetered() {
        classes()
                .that()
                .resideInAPackage("orrery.partition.meter..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.jspecify.annotations..",
                        "orrery.model..",
                        "orrery.partition.meter..")
                .because("requests of every kind are metered alike")
                .check(MAIN);
    }

    @Test
    void nobodyImportsTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackages("orrery.server..", "orrery.junit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("orrery.server..")
                .because(
                        "the server puts the modules together; none of them needs to know, and"
                                + " orrery.junit only starts it")
                .check(MAIN);
    }
}

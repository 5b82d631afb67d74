package orrery.distribution;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
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
                                    "com.google.re2j..",
                                    "com.ibm.icu..")),
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
                            "orrery.frontend.table",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.query..",
                                    "orrery.gateway.api..",
                                    "orrery.frontend.http..",
                                    "orrery.frontend.rest..",
                                    "com.fasterxml.jackson..",
                                    "org.antlr.v4.runtime..",
                                    "javax.xml.stream..")),
                    Map.entry(
                            "orrery.frontend.mongo",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.query..",
                                    "orrery.gateway.api..",
                                    "orrery.frontend.http..",
                                    "orrery.frontend.rest..",
                                    "io.netty..",
                                    "io.airlift.compress..")),
                    Map.entry(
                            "orrery.frontend.gremlin",
                            List.of(
                                    "orrery.model..",
                                    "orrery.document..",
                                    "orrery.query..",
                                    "orrery.gateway.api..",
                                    "orrery.frontend.http..",
                                    "orrery.frontend.rest..",
                                    "com.fasterxml.jackson..",
                                    "io.netty..",
                                    "org.apache.tinkerpop..",
                                    // A graph of TinkerPop has one.
                                    "org.apache.commons.configuration2..",
                                    "orrery.tinkerpop..")),
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
                .because("module " + module + " uses the JDK and " + uses);
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
                .because("what two front-ends need belongs to one of " + SHARED);
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
    void partitionsAreReachedByMessagesOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "orrery.gateway..",
                        "orrery.cluster..",
                        "orrery.frontend..",
                        "orrery.query..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("orrery.partition..")
                                .and(resideOutsideOfPackages("orrery.partition.api..")))
                .because("a partition may be in another process")
                .check(MAIN);
    }

    /** Text becomes a tree where clients bring it; these classes bring it from elsewhere. */
    private static final Map<String, String> PARSERS =
            Map.of(
                    "orrery.query.evaluate.ComputedQuery",
                    "the definition of a container keeps its computed properties as text",
                    "orrery.partition.ScriptQueries",
                    "a script makes its queries while it runs, at the leader",
                    "orrery.server.QueryLine",
                    "the command estimate reads queries from a file");

    @Test
    void sqlTextIsParsedInFrontendSqlAndInNamedPlaces() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "orrery.frontend.sql..", "orrery.query.sql..", "orrery.query.syntax..")
                .and(isNoneOf(PARSERS))
                .should()
                .accessTargetWhere(
                        DescribedPredicate.describe(
                                "makes a tree of SQL text", ImportRulesTest::parsesSql))
                .because("messages carry trees; otherwise only " + PARSERS)
                .check(MAIN);
    }

    private static boolean parsesSql(JavaAccess<?> access) {
        return switch (access.getTargetOwner().getName()) {
            case "orrery.query.syntax.QueryParser" -> true;
            case "orrery.query.sql.SqlStatement",
                    "orrery.query.sql.FeedQuery",
                    "orrery.query.sql.PatchCondition" ->
                    access.getName().equals("parse");
            case "orrery.query.sql.QueryProfile" -> access.getName().equals("of");
            default -> false;
        };
    }

    /** These classes, besides front-ends of SQL, know that there is such a language. */
    private static final Map<String, String> SPEAKERS =
            Map.of(
                    "orrery.partition.PartitionHost",
                    "it lists the languages that partitions run",
                    "orrery.partition.ScriptQueries",
                    "scripts ask in SQL",
                    "orrery.query.write.PatchDialect",
                    "the conditions of patches are SQL");

    @Test
    void theEngineKnowsNoLanguage() {
        noClasses()
                .that()
                .resideInAnyPackage("orrery.query..", "orrery.partition..", "orrery.gateway..")
                .and(resideOutsideOfPackages("orrery.query.sql..", "orrery.query.syntax.."))
                .and(isNoneOf(SPEAKERS))
                .should()
                .dependOnClassesThat(resideInAnyPackage("orrery.query.sql.."))
                .because("a query is a Statement of some Dialect; otherwise only " + SPEAKERS)
                .check(MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "orrery.query.syntax..",
                        "orrery.query.grammar..",
                        "orrery.frontend.table.grammar..")
                .and(isNoneOf(Map.of("orrery.frontend.table.FilterParser", "filters of tables")))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(
                                "org.antlr..",
                                "orrery.query.grammar..",
                                "orrery.frontend.table.grammar.."))
                .because("only parsers know how they are made")
                .check(MAIN);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "orrery.query.execute..", "orrery.query.dialect..", "orrery.query")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("orrery.query.syntax..")
                                .and(DescribedPredicate.not(IS_ERROR)))
                .because("what is found, sorted and paged is not a tree of SQL")
                .check(MAIN);
    }

    /** The form of errors is the service's, whichever language a query has. */
    private static final DescribedPredicate<JavaClass> IS_ERROR =
            DescribedPredicate.describe(
                    "the form of errors",
                    (JavaClass type) -> type.getName().equals("orrery.query.syntax.QueryError"));

    /** Fails for a class that is no longer there, so that no exception outlives its reason. */
    private static DescribedPredicate<JavaClass> isNoneOf(Map<String, String> exceptions) {
        exceptions.keySet().forEach(MAIN::get);
        return DescribedPredicate.describe(
                "are none of " + exceptions.keySet(),
                (JavaClass type) -> {
                    var outer = type;
                    while (outer.getEnclosingClass().isPresent()) {
                        outer = outer.getEnclosingClass().get();
                    }
                    return !exceptions.containsKey(outer.getName());
                });
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

package orrery.tests.runner;

import java.nio.file.Path;

/**
 * The checkout and the tools that {@code ./orrery} has found.
 *
 * @param javaHome the JDK for everything
 * @param mavenCommand where Maven is
 * @param mavenOptions flags of its JVM
 */
record Workspace(Path root, Path javaHome, String mavenCommand, String mavenOptions) {
    /** The module that drives servers with the Java SDKs. */
    static final String JAVA_SDK = "tests/sdk-java";

    /** The module that runs TinkerPop's own suites. */
    static final String GREMLIN_SUITE = "tests/gremlin-suite";

    /** The checkout is the working directory, and the JDK is the one that runs this. */
    static Workspace ofEnvironment() {
        return new Workspace(
                Path.of("").toAbsolutePath(),
                Path.of(System.getProperty("java.home")),
                System.getenv().getOrDefault("ORRERY_MAVEN", "mvn"),
                System.getenv().getOrDefault("ORRERY_MAVEN_OPTS", ""));
    }

    Path distribution() {
        return root.resolve("distribution/target/dist");
    }

    Path logs() {
        return root.resolve("target/test");
    }

    Path log(String part) {
        return logs().resolve(part + ".log");
    }

    /** Names a file as a person in the checkout would. */
    String shortName(Path file) {
        return root.relativize(file).toString();
    }
}

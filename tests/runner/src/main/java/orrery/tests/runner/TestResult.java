package orrery.tests.runner;

/**
 * One test that ran.
 *
 * @param module the directory of its module
 * @param suite its class, or its file
 * @param failure empty when it passed
 */
record TestResult(
        String module, String suite, String name, double seconds, Outcome outcome, String failure) {
    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** Several runs of one parameterized method have one name. */
    String fullName() {
        return method().isEmpty() ? suite : suite + "." + method();
    }

    /**
     * Java tests say it by their tags. A JavaScript test that kills its server is a crash test, and
     * what it finds must not be hidden; the walk of a newcomer takes too long.
     */
    boolean mayRunAgain() {
        return !module.equals(NodeSuite.MODULE)
                || !(name.contains("SIGKILL") || suite.equals(NodeSuite.NEWCOMER));
    }

    /** Surefire writes parameters in braces, brackets or parentheses behind the method. */
    String method() {
        return module.equals(NodeSuite.MODULE) ? name : name.replaceFirst("[({\\[].*", "").strip();
    }

    TestResult withSeconds(double seconds) {
        return new TestResult(module, suite, name, seconds, outcome, failure);
    }

    TestResult withFailure(String failure) {
        return new TestResult(module, suite, name, seconds, outcome, failure);
    }

    boolean failed() {
        return outcome == Outcome.FAILED;
    }

    Part part() {
        if (module.equals(NodeSuite.MODULE)) {
            return suite.matches("test/(table|mongo|gremlin)[-.].*")
                    ? Part.OTHER_APIS
                    : Part.JAVASCRIPT_SDK;
        }
        String name = suite.substring(suite.lastIndexOf('.') + 1);
        if (name.contains("Crash")) {
            return Part.CRASH;
        }
        boolean usesSdk = module.startsWith("tests/") && !module.equals("tests/runner");
        if (!usesSdk) {
            return Part.UNIT;
        }
        return module.equals(Workspace.GREMLIN_SUITE)
                        || name.matches("(Old)?Table.*|Mongo.*|Gremlin.*")
                ? Part.OTHER_APIS
                : Part.JAVA_SDK;
    }

    /** The parts of a run, with the minutes that each may take on two processors. */
    enum Part {
        UNIT("unit and property", 4),
        JAVA_SDK("Java SDK", 4),
        CRASH("crash", 3),
        JAVASCRIPT_SDK("JavaScript SDK", 4),
        OTHER_APIS("other APIs", 4);

        final String title;
        final int budgetMinutes;

        Part(String title, int budgetMinutes) {
            this.title = title;
            this.budgetMinutes = budgetMinutes;
        }
    }
}

package orrery.tests.gremlin;

import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.notification.RunNotifier;

/** Runs a fixed part of a suite: one of {@code suite.parts}, and all of it where that is 1. */
abstract class PartRunner extends Runner {
    private final Runner suite;
    private final OnePart part = new OnePart(Integer.parseInt(System.getProperty("suite.parts")));

    PartRunner(Runner suite) throws NoTestsRemainException {
        this.suite = suite;
        part.apply(suite);
    }

    /** Cucumber describes what it leaves out as well. */
    @Override
    public Description getDescription() {
        return described(suite.getDescription());
    }

    private Description described(Description all) {
        Description described = all.childlessCopy();
        all.getChildren().stream()
                .filter(part::shouldRun)
                .forEach(child -> described.addChild(described(child)));
        return described;
    }

    @Override
    public void run(RunNotifier notifier) {
        suite.run(notifier);
    }

    private static final class OnePart extends Filter {
        private final OptOuts optOuts = OptOuts.read();
        private final int parts;

        private OnePart(int parts) {
            this.parts = parts;
        }

        /** Goes by the name, so that a test is in the part or not whatever else there is. */
        @Override
        public boolean shouldRun(Description description) {
            return description.isSuite()
                    ? description.getChildren().stream().anyMatch(this::shouldRun)
                    : !optOuts.has(description)
                            && Math.floorMod(description.getDisplayName().hashCode(), parts) == 0;
        }

        @Override
        public String describe() {
            return "one of " + parts + " parts";
        }
    }
}

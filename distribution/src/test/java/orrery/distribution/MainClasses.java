package orrery.distribution;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.regex.Pattern;

/** Every class of ours that we ship, of all modules. */
final class MainClasses {
    private static final Pattern TEST_JAR = Pattern.compile(".*-tests\\.jar!.*");

    /** The parser of TinkerPop, which the module {@code tinkerpop} has under another name. */
    private static final Pattern OF_OTHERS = Pattern.compile(".*/orrery/tinkerpop/.*");

    private MainClasses() {}

    /** Read once, for all tests of a run: it takes seconds. */
    private static final class Shared {
        static final JavaClasses CLASSES = importAll();
    }

    static JavaClasses read() {
        return Shared.CLASSES;
    }

    private static JavaClasses importAll() {
        var classes =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .withImportOption((Location location) -> !location.matches(TEST_JAR))
                        .withImportOption((Location location) -> !location.matches(OF_OTHERS))
                        .importPackages("orrery");
        if (classes.isEmpty()) {
            throw new IllegalStateException("no module is on the class path");
        }
        return classes;
    }
}

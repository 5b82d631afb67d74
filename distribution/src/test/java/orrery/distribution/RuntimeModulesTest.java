package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds the modules of the bundled runtime against what our own classes use of the JDK. */
class RuntimeModulesTest {
    @Test
    void runtimeHasEveryModuleThatOurClassesUse() throws IOException {
        var moduleOf = new TreeMap<String, String>();
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            module.descriptor()
                    .packages()
                    .forEach(name -> moduleOf.put(name, module.descriptor().name()));
        }
        var used = new TreeSet<String>();
        for (var type : MainClasses.read()) {
            if (type.getPackageName().equals(RuntimeModulesTest.class.getPackageName())) {
                continue; // Only tests are here, wherever they were compiled to.
            }
            type.getDirectDependenciesFromSelf()
                    .forEach(
                            dependency -> {
                                var name = dependency.getTargetClass().getPackageName();
                                if (moduleOf.containsKey(name)) {
                                    used.add(moduleOf.get(name));
                                }
                            });
        }
        var file = SourceTree.read().root().resolve("distribution/src/main/runtime/modules.txt");
        var bundled = Files.readAllLines(file).stream().filter(line -> !line.startsWith("#"));
        assertThat(used).contains("java.base", "java.net.http");
        assertThat(bundled.toList())
                .containsAll(used)
                .doesNotHaveDuplicates()
                .isSubsetOf(moduleOf.values());
    }
}

package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Everything that is shipped is named with its licence, and the text of each licence is there. */
class DistributionLicensesTest {
    private static final Path DIST = Path.of(System.getProperty("orrery.dist", "target/dist"));
    private static final Pattern LIBRARY =
            Pattern.compile("(?m)^[\\w.-]+:(\\S+) +(\\d\\S*) +(\\S.*)$");

    /** "netty-handler-4.2.18.Final" of THIRD-PARTY.txt → its licences. */
    private static Map<String, String> named() throws IOException {
        var named = new TreeMap<String, String>();
        LIBRARY.matcher(Files.readString(DIST.resolve("THIRD-PARTY.txt")))
                .results()
                .forEach(row -> named.put(row.group(1) + "-" + row.group(2), row.group(3)));
        return named;
    }

    @Test
    void everyJarIsNamedWithItsVersionAndNoOther() throws IOException {
        var shipped = new TreeSet<String>();
        var named = named().keySet();
        try (var jars = Files.list(DIST.resolve("lib"))) {
            for (var jar : jars.map(file -> String.valueOf(file.getFileName())).toList()) {
                if (jar.endsWith(".jar") && !jar.startsWith("orrery-")) {
                    var bare = jar.substring(0, jar.length() - ".jar".length());
                    // A jar of one platform has a classifier behind its version.
                    shipped.add(
                            named.stream()
                                    .filter(name -> (bare + "-").startsWith(name + "-"))
                                    .findFirst()
                                    .orElse(bare));
                }
            }
        }
        assertThat(named).as("THIRD-PARTY.txt").isEqualTo(shipped);
    }

    @Test
    void textOfEachLicenceIsThere() throws IOException {
        assertThat(DIST.resolve("LICENSE")).content().contains("Apache License");
        assertThat(DIST.resolve("NOTICE")).isNotEmptyFile();
        var names = new TreeSet<String>();
        named().values()
                .forEach(
                        licences ->
                                names.addAll(
                                        Pattern.compile(", ").splitAsStream(licences).toList()));
        names.remove("Apache-2.0");
        assertThat(names).isNotEmpty();
        for (var name : names) {
            assertThat(DIST.resolve("licenses").resolve(name + ".txt")).isNotEmptyFile();
        }
    }
}

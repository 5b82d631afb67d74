package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** Looks at what was packaged: one distribution for every platform, and nothing more than that. */
class DistributionTest {
    private static final Path DIST = Path.of(System.getProperty("orrery.dist", "target/dist"));
    private static final Path LIB = DIST.resolve("lib");

    private static final String LINUX_X64 = "Linux x86-64";
    private static final String LINUX_ARM = "Linux aarch64";
    private static final String MAC_X64 = "macOS x86-64";
    private static final String MAC_ARM = "macOS arm64";
    private static final String WINDOWS_X64 = "Windows x86-64";

    /** Library → the platform that its header must name. */
    private static final Map<String, String> NATIVES =
            Map.ofEntries(
                    Map.entry("librocksdbjnijni-linux64.so", LINUX_X64),
                    Map.entry("librocksdbjnijni-linux64-musl.so", LINUX_X64),
                    Map.entry("librocksdbjnijni-linux-aarch64.so", LINUX_ARM),
                    Map.entry("librocksdbjnijni-linux-aarch64-musl.so", LINUX_ARM),
                    Map.entry("librocksdbjnijni-osx-x86_64.jnilib", MAC_X64),
                    Map.entry("librocksdbjnijni-osx-arm64.jnilib", MAC_ARM),
                    Map.entry("librocksdbjnijni-win64.dll", WINDOWS_X64),
                    Map.entry("libnetty_transport_native_epoll_x86_64.so", LINUX_X64),
                    Map.entry("libnetty_transport_native_epoll_aarch_64.so", LINUX_ARM),
                    Map.entry("libnetty_transport_native_kqueue_x86_64.jnilib", MAC_X64),
                    Map.entry("libnetty_transport_native_kqueue_aarch_64.jnilib", MAC_ARM),
                    Map.entry("libnetty_tcnative_linux_x86_64.so", LINUX_X64),
                    Map.entry("libnetty_tcnative_linux_aarch_64.so", LINUX_ARM),
                    Map.entry("libnetty_tcnative_osx_x86_64.jnilib", MAC_X64),
                    Map.entry("libnetty_tcnative_osx_aarch_64.jnilib", MAC_ARM),
                    Map.entry("netty_tcnative_windows_x86_64.dll", WINDOWS_X64));

    @Test
    void everyPlatformHasItsNativesAndNoOtherIsThere() throws IOException {
        var found = new TreeMap<String, String>();
        try (var files = Files.walk(LIB.resolve("native"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                found.put(name(file), platform(Files.readAllBytes(file)));
            }
        }
        for (var path : jars()) {
            try (var jar = new JarFile(path.toFile())) {
                for (var entry : jar.stream().toList()) {
                    // The script engine's own, which it unpacks by itself: one name for every
                    // platform, and it runs without.
                    var isOfEngine = entry.getName().contains("libtruffleattach");
                    if (!isOfEngine
                            && entry.getName().matches(".*\\.(so|dll|jnilib|dylib|a|lib)")) {
                        var name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
                        try (var content = jar.getInputStream(entry)) {
                            found.put(name, platform(content.readAllBytes()));
                        }
                    }
                }
            }
        }
        assertThat(found).isEqualTo(new TreeMap<>(NATIVES));
    }

    /** Reads the library's own header, because a file name proves nothing. */
    private static String platform(byte[] file) {
        var bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int magic = bytes.getInt(0);
        if (magic == 0x464C457F) { // 7F 'E' 'L' 'F'
            var isSharedObject64 =
                    bytes.get(4) == 2 && bytes.get(5) == 1 && bytes.getShort(16) == 3;
            int machine = bytes.getShort(18);
            return !isSharedObject64
                    ? "not a 64-bit shared object"
                    : machine == 62
                            ? LINUX_X64
                            : machine == 183 ? LINUX_ARM : "ELF machine " + machine;
        }
        if (magic == 0xFEEDFACF) { // Mach-O, 64 bits
            int machine = bytes.getInt(4);
            return machine == 0x01000007
                    ? MAC_X64
                    : machine == 0x0100000C ? MAC_ARM : "Mach-O machine " + machine;
        }
        if (bytes.getShort(0) == 0x5A4D) { // "MZ"; the offset of the PE header is at 0x3C
            int header = bytes.getInt(0x3C);
            int machine = Short.toUnsignedInt(bytes.getShort(header + 4));
            return bytes.getInt(header) == 0x00004550 && machine == 0x8664
                    ? WINDOWS_X64
                    : "PE machine " + machine;
        }
        return "unknown format";
    }

    @Test
    void versionsAlign() throws IOException {
        var versions =
                Map.of(
                        "netty-tcnative-", System.getProperty("tcnative.version", "?"),
                        "netty-", System.getProperty("netty.version", "?"),
                        "rocksdbjni-", System.getProperty("rocksdb.version", "?"),
                        "orrery-", System.getProperty("orrery.version", "?"));
        var wrong = new ArrayList<String>();
        for (var jar : jars()) {
            versions.entrySet().stream()
                    .filter(entry -> name(jar).startsWith(entry.getKey()))
                    // netty-tcnative- is the longer of the two that fit
                    .max((a, b) -> Integer.compare(a.getKey().length(), b.getKey().length()))
                    .filter(entry -> !name(jar).contains("-" + entry.getValue()))
                    .ifPresent(entry -> wrong.add(name(jar) + " is not " + entry.getValue()));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void noLibraryIsThereTwiceAndNoneOfTheTests() throws IOException {
        var seen = new TreeSet<String>();
        for (var jar : jars()) {
            // The name goes without its version, but with its classifier.
            String library = name(jar).replaceFirst("-\\d[\\w.]*?(-SNAPSHOT)?(?=-|[.]jar)", "");
            assertThat(seen.add(isShadowed(jar) ? "shadowed " + library : library))
                    .as("only one " + name(jar))
                    .isTrue();
        }
        assertThat(seen).contains("orrery-server.jar", "orrery-model.jar", "rocksdbjni.jar");
        assertThat(seen).noneMatch(n -> n.matches("(junit|jqwik|assertj|archunit|.*-tests).*"));
    }

    /** GraalJS brings libraries with packages of its own, which are other classes. */
    private static boolean isShadowed(Path path) throws IOException {
        try (var jar = new JarFile(path.toFile())) {
            return jar.stream().anyMatch(e -> e.getName().startsWith("org/graalvm/shadowed/"));
        }
    }

    /** The JVM keeps no class of a signed jar in its start-up cache. */
    @Test
    void noJarIsSigned() throws IOException {
        for (var path : jars()) {
            try (var jar = new JarFile(path.toFile())) {
                assertThat(jar.stream().map(Object::toString))
                        .as(name(path))
                        .noneMatch(name -> name.matches("META-INF/[^/]+\\.SF"));
            }
        }
    }

    /** In a JVM of its own, because this one has RocksDB's whole jar on its class path. */
    @Test
    void rocksdbLoadsFromTheDirectoryAndUnpacksNothing() throws Exception {
        var temporary = Files.createTempDirectory("orrery-natives");
        var self = DistributionTest.class.getProtectionDomain().getCodeSource().getLocation();
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "@" + DIST.resolve("bin/jvm.options"),
                                "-Djava.io.tmpdir=" + temporary,
                                "-Dorrery.native.dir=" + LIB.resolve("native"),
                                "-cp",
                                LIB.resolve("*") + File.pathSeparator + Path.of(self.toURI()),
                                PrintRocksVersion.class.getName())
                        .redirectErrorStream(true)
                        .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(output.strip()).isEqualTo(System.getProperty("rocksdb.version"));
        assertThat(temporary).isEmptyDirectory();
        Files.delete(temporary);
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static List<Path> jars() throws IOException {
        try (var files = Files.list(LIB)) {
            return files.filter(file -> name(file).endsWith(".jar")).sorted().toList();
        }
    }
}

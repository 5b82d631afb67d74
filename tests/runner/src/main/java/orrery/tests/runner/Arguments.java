package orrery.tests.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The words behind {@code ./orrery test}.
 *
 * @param natives whether epoll and BoringSSL may be used
 * @param maven all words that are not ours
 */
record Arguments(boolean isLong, boolean fast, boolean natives, List<String> maven) {
    static Arguments parse(List<String> words) {
        boolean isLong = false;
        boolean fast = false;
        boolean natives = true;
        List<String> maven = new ArrayList<>();
        for (String word : words) {
            switch (word) {
                case "--long" -> isLong = true;
                case "--fast" -> fast = true;
                case "--no-natives" -> natives = false;
                default -> maven.add(word);
            }
        }
        return new Arguments(isLong, fast, natives, List.copyOf(maven));
    }

    /** Flags of the JVMs of tests, and of the servers that tests start as processes. */
    List<String> withNatives(List<String> more) {
        List<String> flags = new ArrayList<>(more);
        if (!natives) {
            // Our switch and Netty's own.
            flags.add("-Dorrery.natives=off");
            flags.add("-Dio.netty.transport.noNative=true");
            flags.add("-Dio.netty.handler.ssl.noOpenSsl=true");
        }
        return flags;
    }

    /**
     * Sets the flags of servers. One that lives for a few tests does not pay back the work of the
     * second JIT compiler, which costs a quarter of all processor time.
     */
    void setServerFlags(Map<String, String> environment) {
        List<String> flags = withNatives(isLong ? List.of() : List.of("-XX:TieredStopAtLevel=1"));
        if (!flags.isEmpty()) {
            environment.merge(
                    "ORRERY_OPTS", String.join(" ", flags), (mine, ours) -> ours + " " + mine);
        }
    }
}

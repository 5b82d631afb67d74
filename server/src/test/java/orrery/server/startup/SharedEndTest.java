package orrery.server.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that must not outlive another one. */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
final class SharedEndTest {
    /** A process that nothing but a signal ends while a test runs. */
    private static Process lasting() throws IOException {
        return new ProcessBuilder("sleep", "86400").start();
    }

    /** Runs in a process of its own, and starts one more. */
    static final class Follower {
        private Follower() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Process child = lasting();
            System.out.println(child.pid());
            SharedEnd.with(Long.parseLong(arguments[0]));
            child.waitFor();
            new CountDownLatch(1).await();
        }
    }

    @Test
    void aProcessEndsWithAnotherAndTakesItsChildrenAlong() throws Exception {
        Process first = lasting();
        Process follower =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Follower.class.getName(),
                                Long.toString(first.pid()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        ProcessHandle child =
                ProcessHandle.of(Long.parseLong(follower.inputReader().readLine())).orElseThrow();
        try {
            assertThat(follower.isAlive()).isTrue();
            first.destroyForcibly();
            assertThat(follower.waitFor()).isNotZero();
            child.onExit().get();
            assertThat(child.isAlive()).isFalse();
        } finally {
            child.destroyForcibly();
            follower.destroyForcibly();
        }
    }
}

package orrery.server.startup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's AOT cache of one distribution: its classes already parsed, linked and profiled. The
 * launcher names it to the JVM, which ignores one that does not fit.
 *
 * <pre>
 *   orrery.aot   the cache, put here by a rename when it is whole
 *   made-of      the JDK and the jars it was made of
 *   failures     how often making it failed in a row, and when last
 *   lock         held by the process that trains
 *   log          the output of the last training run
 *   work/        what a training run writes; deleted with it
 * </pre>
 */
public final class StartupCache {
    static final String CACHE = "orrery.aot";
    private static final String MADE_OF = "made-of";
    private static final String FAILURES = "failures";

    /** A run of seconds may take long at the lowest priority of a busy machine. */
    private static final Duration LONGEST_RUN = Duration.ofHours(1);

    private static final Duration STOP = Duration.ofSeconds(5);

    /** How a call to {@link #train} ended. */
    public enum Outcome {
        /** The cache fits already. */
        CURRENT,
        TRAINED,
        FAILED,
        /** Training failed lately and more than once, so this time is not the next to try. */
        PAUSED,
        /** Another process trains. */
        BUSY,
        STOPPED,
        /** Nothing can be written into this distribution. */
        READ_ONLY
    }

    private final Path directory;
    private final String madeOf;
    private final Function<Path, List<String>> training;
    private final InstantSource clock;

    // Both are guarded by this object.
    private boolean stopped;
    private @Nullable Process running;

    /**
     * @param madeOf changes with everything that a cache depends on
     * @param training the command that writes a cache into the directory that it is given
     */
    StartupCache(
            Path directory,
            String madeOf,
            Function<Path, List<String>> training,
            InstantSource clock) {
        this.directory = directory;
        this.madeOf = madeOf;
        this.training = training;
        this.clock = clock;
    }

    /** Starts the training that is due, if any. It ends with this process at the latest. */
    public void trainInBackground() {
        Thread thread = Thread.ofVirtual().name("startup-cache").start(this::train);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("stop-startup-cache")
                                .unstarted(
                                        () -> {
                                            stop();
                                            awaitEnd(thread);
                                        }));
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join(STOP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes the cache if that is due, and returns when it is made. */
    public Outcome train() {
        return train(Optional.of(clock));
    }

    /** Makes the cache even if that has failed lately. */
    public Outcome trainNow() {
        return train(Optional.empty());
    }

    private Outcome train(Optional<InstantSource> pauses) {
        try {
            if (isCurrent()) {
                return Outcome.CURRENT;
            }
            Files.createDirectories(directory);
            try (FileChannel file =
                            FileChannel.open(
                                    directory.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock lock = file.tryLock()) {
                // Another may have made it since.
                if (lock == null || isCurrent()) {
                    return lock == null ? Outcome.BUSY : Outcome.CURRENT;
                }
                Failures failures = Failures.read(directory.resolve(FAILURES), madeOf);
                boolean isPaused =
                        pauses.filter(now -> now.instant().isBefore(failures.pauseEnds()))
                                .isPresent();
                return isPaused ? Outcome.PAUSED : run(failures);
            } catch (OverlappingFileLockException e) {
                return Outcome.BUSY;
            }
        } catch (IOException e) {
            return Outcome.READ_ONLY;
        }
    }

    /** Ends a training that goes on, and every one to come. */
    public void stop() {
        synchronized (this) {
            stopped = true;
            if (running != null) {
                end(running);
            }
        }
    }

    private boolean isCurrent() throws IOException {
        Path note = directory.resolve(MADE_OF);
        return Files.exists(directory.resolve(CACHE))
                && Files.exists(note)
                && Files.readString(note).equals(madeOf);
    }

    private Outcome run(Failures failures) throws IOException {
        Path work = directory.resolve("work");
        deleteTree(work);
        Files.createDirectories(work);
        try {
            boolean isWhole = trainInto(work) && Files.size(work.resolve(CACHE)) > 0;
            synchronized (this) {
                if (stopped) {
                    return Outcome.STOPPED;
                }
            }
            if (!isWhole) {
                failures.oneMore(clock.instant()).write(directory.resolve(FAILURES), madeOf);
                return Outcome.FAILED;
            }
            publish(work);
            Files.deleteIfExists(directory.resolve(FAILURES));
            return Outcome.TRAINED;
        } finally {
            deleteTree(work);
        }
    }

    private boolean trainInto(Path work) throws IOException {
        Process process;
        synchronized (this) {
            if (stopped) {
                return false;
            }
            process =
                    new ProcessBuilder(training.apply(work))
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("log").toFile())
                            .start();
            running = process;
        }
        try {
            process.getOutputStream().close();
            boolean hasEnded = process.waitFor(LONGEST_RUN.toSeconds(), TimeUnit.SECONDS);
            return hasEnded && process.exitValue() == 0 && Files.exists(work.resolve(CACHE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            end(process);
        }
    }

    private void publish(Path work) throws IOException {
        Path cache = work.resolve(CACHE);
        Path note = Files.writeString(work.resolve(MADE_OF), madeOf);
        if (Files.getFileAttributeView(cache, PosixFileAttributeView.class) != null) {
            // Every user of this distribution may read it, like its jars.
            Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-r--r--"));
            Files.setPosixFilePermissions(note, PosixFilePermissions.fromString("rw-r--r--"));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.move(cache, directory.resolve(CACHE), StandardCopyOption.ATOMIC_MOVE);
        Files.move(note, directory.resolve(MADE_OF), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The JVM that trains starts another one, which writes the cache. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(tree)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }
}

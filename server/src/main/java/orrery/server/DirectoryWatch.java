package orrery.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices that the data directory, or a store in it, was removed or replaced under the running
 * server. The files that are open would take writes on, and nobody would ever see them again.
 */
final class DirectoryWatch implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DirectoryWatch.class.getName());
    private static final int SECONDS_BETWEEN_LOOKS = 1;

    private static final String LOSS =
            "the data directory, or a part of it, was removed or replaced while the server ran."
                    + " Stop the server, put back the whole directory from one copy, and start it"
                    + " again.";

    private final Map<Path, Object> identities = new LinkedHashMap<>();
    private final List<Path> needed;
    private final Consumer<String> onLoss;
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon(true).name("directory-watch").factory());
    private volatile boolean isLost;

    /**
     * @param same files and directories that must stay the ones they are
     * @param needed files that must be there, whichever they are
     * @param onLoss is told once what to say to whoever writes
     */
    DirectoryWatch(List<Path> same, List<Path> needed, Consumer<String> onLoss) {
        for (Path path : same) {
            identity(path).ifPresent(identity -> identities.put(path, identity));
        }
        this.needed = List.copyOf(needed);
        this.onLoss = onLoss;
    }

    /** Looks from now on, again and again: a few calls a second, none of them for a write. */
    DirectoryWatch start() {
        var _ =
                looks.scheduleWithFixedDelay(
                        this::look, SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_LOOKS, TimeUnit.SECONDS);
        return this;
    }

    void look() {
        if (isLost) {
            return;
        }
        Optional<Path> lost =
                identities.keySet().stream()
                        .filter(this::isAnother)
                        .findFirst()
                        .or(() -> needed.stream().filter(Files::notExists).findFirst());
        if (lost.isPresent()) {
            isLost = true;
            LOG.log(Logger.Level.ERROR, "{0} is gone or another one: {1}", lost.get(), LOSS);
            onLoss.accept(LOSS);
        }
    }

    /** Returns what was lost, if anything. */
    Optional<String> loss() {
        return isLost ? Optional.of(LOSS) : Optional.empty();
    }

    /** A file that cannot be looked at right now may well be the same. */
    private boolean isAnother(Path path) {
        return Files.notExists(path)
                || identity(path).filter(now -> !now.equals(identities.get(path))).isPresent();
    }

    private static Optional<Object> identity(Path path) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            // Windows has no keys; it does not let anybody remove what is open either.
            Object key = attributes.fileKey();
            return Optional.of(key == null ? attributes.creationTime() : key);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}

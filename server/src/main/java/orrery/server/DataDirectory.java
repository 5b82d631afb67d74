package orrery.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import orrery.server.audit.AuditLog;
import orrery.server.client.FileTrouble;
import orrery.server.client.Hint;
import orrery.storage.StoreFailure;
import orrery.storage.files.PrivateFiles;

/**
 * The directory that holds everything a node keeps, locked against a second server. Only its owner
 * can use it, and what is in it.
 *
 * <pre>
 *   lock          held while a server runs
 *   format        the version of this layout
 *   run           how other processes of this machine reach the server, while one runs
 *   first-start   until a first start is ready: what it decided does not count
 *   keys          account keys of an older version, until a start has taken them over
 *   log/          the log of a server in the background
 *   audit/        the audit log
 *   tls/          the CA
 *   catalog/      the catalog's store
 *   sets/0/       the store of replica set 0
 *   marks/        for each store, how far its acknowledged writes go
 * </pre>
 */
final class DataDirectory implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DataDirectory.class.getName());
    private static final String FORMAT_FILE = "format";
    private static final String FORMAT = "orrery-data 7\n";
    private static final int MAX_FORMAT_LENGTH = 64;
    private static final String MARKS = "marks";
    private static final String LOCK = "lock";

    /** Tools that look into a directory hold its lock for a moment; a start outwaits them. */
    private static final int LOCK_ATTEMPTS = 20;

    private static final Duration LOCK_PAUSE = Duration.ofMillis(50);

    /** Names that a directory may hold before its first start; file systems make the last. */
    private static final Set<String> HARMLESS =
            Set.of(LOCK, FORMAT_FILE, RunFile.NAME, FirstStart.NAME, "keys", "tls", "lost+found");

    /**
     * The directories that this process has locked. Closing any channel of a file ends all locks
     * that the process has on it, so within the process nobody may try the lock.
     */
    private static final Set<Path> LOCKED_HERE = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final boolean ephemeral;
    private final Lock lock;

    private DataDirectory(Path root, boolean ephemeral, Lock lock) {
        this.root = root;
        this.ephemeral = ephemeral;
        this.lock = lock;
    }

    /** The lock of a directory, held until it is closed. */
    private record Lock(Path directory, FileChannel file) {
        void release() throws IOException {
            try {
                file.close();
            } finally {
                LOCKED_HERE.remove(directory);
            }
        }
    }

    /** Without a path it takes a temporary directory that is deleted on close. */
    static DataDirectory open(Optional<Path> path) {
        path.ifPresent(DataDirectory::expectUsable);
        try {
            Path root =
                    path.isPresent()
                            ? PrivateFiles.directory(path.get())
                            : Files.createTempDirectory("orrery-ephemeral-");
            Lock lock = lock(root.toRealPath(), path.orElse(root));
            try {
                narrow(root);
                checkFormat(root);
                return new DataDirectory(root, path.isEmpty(), lock);
            } catch (RuntimeException | IOException refused) {
                lock.release();
                throw refused;
            }
        } catch (IOException e) {
            if (StoreFailure.isDiskFull(e)) {
                throw diskFull(path, e);
            }
            throw new StartupException(
                    "The data directory "
                            + path.map(Path::toString).orElse("for temporary data")
                            + " cannot be used: "
                            // Directories above it are made, too.
                            + (e instanceof NoSuchFileException
                                    ? "the system does not let it be made there."
                                    : reason(e)),
                    e);
        }
    }

    /** Returns true if a server has kept data there. */
    static boolean exists(Path path) {
        return Files.isRegularFile(path.resolve(FORMAT_FILE)) || holdsAnything(path);
    }

    /** Refuses what is no data directory, for those who look and make nothing. */
    static void expect(Path path) {
        expectDirectory(path);
        if (!exists(path)) {
            expectReadable(path);
            throw new StartupException(
                    path
                            + " is not a data directory of Orrery. Name one with --data, or make it"
                            + " with "
                            + Hint.of("start", path)
                            + ".");
        }
    }

    /** A directory that this user may not read seems empty. */
    private static void expectReadable(Path path) {
        try (Stream<Path> files = Files.list(path)) {
            var _ = files.findAny();
        } catch (NoSuchFileException none) {
            // Then that is what is wrong with it.
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static StartupException unreadable(Path path, IOException e) {
        return new StartupException(
                "The data directory " + path + " cannot be read: " + reason(e), e);
    }

    /** Refuses what cannot be a data directory, before anything is written there. */
    private static void expectUsable(Path path) {
        expectDirectory(path);
        if (!Files.exists(path) || exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            Optional<String> foreign =
                    files.map(file -> String.valueOf(file.getFileName()))
                            // A crash may leave the draft of a file.
                            .filter(name -> !HARMLESS.contains(name.replaceFirst("\\.tmp$", "")))
                            .min(Comparator.naturalOrder());
            if (foreign.isPresent()) {
                throw new StartupException(
                        path
                                + " holds files that are not Orrery's, such as '"
                                + foreign.get()
                                + "'. Nothing was written there. Choose an empty directory, or one"
                                + " that does not exist yet, with --data.");
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static void expectDirectory(Path path) {
        if (path.toString().isBlank()) {
            throw StartupException.ofUsage("--data is empty. It needs the name of a directory.");
        }
        boolean isThere = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        if (isThere && !Files.isDirectory(path)) {
            throw new StartupException(
                    path
                            + (Files.exists(path) ? " is a file." : " is a link to nowhere.")
                            + " --data needs a directory.");
        }
    }

    /** Returns true if a server, or a tool that changes data, uses the directory right now. */
    static boolean isInUse(Path path) {
        try {
            Path root = path.toRealPath();
            if (LOCKED_HERE.contains(root)) {
                return true;
            }
            // A shared one, so that two who look do not take each other for a server.
            try (FileChannel channel =
                            FileChannel.open(root.resolve(LOCK), StandardOpenOption.READ);
                    FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                return shared == null;
            }
        } catch (NoSuchFileException neverUsed) {
            return false;
        } catch (IOException e) {
            throw new StartupException(
                    "The data directory " + path + " cannot be used: " + reason(e), e);
        }
    }

    private static boolean holdsAnything(Path root) {
        return Files.exists(root.resolve("catalog"))
                || Files.exists(root.resolve("sets"))
                || Files.exists(root.resolve(MARKS));
    }

    /** Returns true if a store was made here once: its mark is made after it. */
    boolean hadStores() {
        return Files.exists(root.resolve(MARKS));
    }

    Path root() {
        return root;
    }

    Path tls() {
        return root.resolve("tls");
    }

    Path audit() {
        return root.resolve(AuditLog.DIRECTORY);
    }

    Path catalog() {
        return root.resolve("catalog");
    }

    Path replicaSet(int number) {
        return root.resolve("sets").resolve(Integer.toString(number));
    }

    /** Outside of the store, so that it does not go with it. */
    Path watermark(String store) {
        return root.resolve(MARKS).resolve(store);
    }

    /** Watches this directory and the stores in it, which must be open. */
    DirectoryWatch watch(int replicaSet, Consumer<String> onLoss) {
        List<Path> stores = List.of(catalog(), replicaSet(replicaSet));
        return new DirectoryWatch(
                Stream.concat(Stream.of(root.resolve(LOCK)), stores.stream()).toList(),
                stores.stream().map(store -> store.resolve("CURRENT")).toList(),
                onLoss);
    }

    static Path keys(Path root) {
        return root.resolve("keys");
    }

    @Override
    public void close() {
        try {
            lock.release();
            if (ephemeral) {
                deleteTree(root);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A start that met a full disk. */
    static StartupException diskFull(Optional<Path> path, Exception cause) {
        return new StartupException(
                "The disk of "
                        + path.map(data -> "the data directory " + data).orElse("temporary files")
                        + " is full. Make room on it and start again.",
                cause);
    }

    static String reason(IOException e) {
        return FileTrouble.writing(e) + ".";
    }

    private static Lock lock(Path root, Path named) throws IOException {
        if (!LOCKED_HERE.add(root)) {
            throw inUse(root, named);
        }
        try {
            FileChannel channel = PrivateFiles.open(root.resolve(LOCK), StandardOpenOption.CREATE);
            for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
                if (channel.tryLock() != null) {
                    return new Lock(root, channel);
                }
                LockSupport.parkNanos(LOCK_PAUSE.toNanos());
            }
            channel.close();
            throw inUse(root, named);
        } catch (IOException | RuntimeException refused) {
            LOCKED_HERE.remove(root);
            throw refused;
        }
    }

    private static StartupException inUse(Path root, Path named) {
        return new StartupException(
                "Another Orrery server is using the data directory "
                        + root
                        + ". Stop it with "
                        + Hint.of("stop", named)
                        + ", or choose another directory with --data.");
    }

    /** Only what is ours: a directory that was chosen by mistake may hold all kinds of files. */
    private static void narrow(Path root) {
        boolean wasOpen = isNarrowed(root, PrivateFiles::narrowAlone);
        for (String name : OURS) {
            wasOpen |= isNarrowed(root.resolve(name), PrivateFiles::narrow);
        }
        if (wasOpen) {
            LOG.log(
                    Logger.Level.WARNING,
                    "others could use files in the data directory {0}; now only its owner can",
                    root);
        }
    }

    private static final List<String> OURS =
            List.of(
                    LOCK,
                    FORMAT_FILE,
                    RunFile.NAME,
                    FirstStart.NAME,
                    "keys",
                    "tls",
                    "catalog",
                    "sets",
                    MARKS,
                    "log",
                    AuditLog.DIRECTORY);

    private interface Narrowing {
        boolean narrow(Path path) throws IOException;
    }

    private static boolean isNarrowed(Path path, Narrowing narrowing) {
        try {
            return narrowing.narrow(path);
        } catch (IOException e) {
            // A volume may belong to somebody else, or know no permissions.
            LOG.log(Logger.Level.WARNING, "{0} cannot be kept from others: {1}", path, reason(e));
            return false;
        }
    }

    private static void checkFormat(Path root) throws IOException {
        Path file = root.resolve(FORMAT_FILE);
        if (!Files.exists(file)) {
            if (holdsAnything(root)) {
                throw new StartupException(
                        "The file "
                                + file
                                + " is missing, so nobody knows which version of Orrery wrote the"
                                + " data. Put back the whole data directory from one copy, or choose"
                                + " another directory with --data to begin anew.");
            }
            PrivateFiles.write(file, FORMAT);
        } else if (!formatIn(file).equals(FORMAT)) {
            throw new StartupException(
                    "The data directory "
                            + root
                            + " was written by another version of Orrery ("
                            + formatIn(file).strip()
                            + "), or its file format is damaged. This version does not read it."
                            + " To carry data over, start that version, write each container to a"
                            + " file with its `orrery export`, and read the files with `orrery"
                            + " import` into a server of this version with another --data. Or put"
                            + " back the directory from a copy.");
        }
    }

    /** Reads whatever the file holds, as far as it can be shown. */
    private static String formatIn(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_FORMAT_LENGTH), StandardCharsets.ISO_8859_1);
            return text.replaceAll("[^\\n -~]", "?");
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException failure) throws IOException {
                        Files.delete(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}

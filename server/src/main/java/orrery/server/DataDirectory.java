package orrery.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import orrery.storage.StoreFailure;
import orrery.storage.files.PrivateFiles;

/**
 * The directory that holds everything a node keeps, locked against a second server. Only its owner
 * can use it, and what is in it.
 *
 * <pre>
 *   lock          held while a server runs
 *   format        the version of this layout
 *   keys          account keys of one's own, if made
 *   tls/          the CA
 *   catalog/      the catalog's store
 *   sets/0/       the store of replica set 0
 *   marks/        for each store, how far its acknowledged writes go
 * </pre>
 */
final class DataDirectory implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DataDirectory.class.getName());
    private static final String FORMAT_FILE = "format";
    private static final String FORMAT = "orrery-data 3\n";
    private static final int MAX_FORMAT_LENGTH = 64;
    private static final String MARKS = "marks";

    private final Path root;
    private final boolean ephemeral;
    private final FileChannel lockFile;

    private DataDirectory(Path root, boolean ephemeral, FileChannel lockFile) {
        this.root = root;
        this.ephemeral = ephemeral;
        this.lockFile = lockFile;
    }

    /** Without a path it takes a temporary directory that is deleted on close. */
    static DataDirectory open(Optional<Path> path) {
        if (path.isPresent() && Files.exists(path.get()) && !Files.isDirectory(path.get())) {
            throw new StartupException(path.get() + " is a file. --data needs a directory.");
        }
        try {
            Path root =
                    path.isPresent()
                            ? PrivateFiles.directory(path.get())
                            : Files.createTempDirectory("orrery-ephemeral-");
            FileChannel lockFile = lock(root);
            try {
                narrow(root);
                checkFormat(root);
                return new DataDirectory(root, path.isEmpty(), lockFile);
            } catch (RuntimeException | IOException refused) {
                lockFile.close();
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
                            + reason(e),
                    e);
        }
    }

    /** Returns true if a server has kept data there. */
    static boolean exists(Path path) {
        return Files.isRegularFile(path.resolve(FORMAT_FILE)) || holdsAnything(path);
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
                Stream.concat(Stream.of(root.resolve("lock")), stores.stream()).toList(),
                stores.stream().map(store -> store.resolve("CURRENT")).toList(),
                onLoss);
    }

    static Path keys(Path root) {
        return root.resolve("keys");
    }

    @Override
    public void close() {
        try {
            lockFile.close();
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

    /** The JDK's message for the commonest reason is nothing but the path. */
    static String reason(IOException e) {
        return e instanceof AccessDeniedException
                ? "permission denied."
                : String.valueOf(e.getMessage());
    }

    private static FileChannel lock(Path root) throws IOException {
        FileChannel channel = PrivateFiles.open(root.resolve("lock"), StandardOpenOption.CREATE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new StartupException(
                    "Another Orrery server is using the data directory "
                            + root
                            + ". Stop it, or choose another directory with --data.");
        }
        return channel;
    }

    /** Only what is ours: a directory that was chosen by mistake may hold all kinds of files. */
    private static void narrow(Path root) {
        boolean wasOpen = isNarrowed(root, PrivateFiles::narrowAlone);
        for (String name : List.of("lock", FORMAT_FILE, "keys", "tls", "catalog", "sets", MARKS)) {
            wasOpen |= isNarrowed(root.resolve(name), PrivateFiles::narrow);
        }
        if (wasOpen) {
            LOG.log(
                    Logger.Level.WARNING,
                    "others could use files in the data directory {0}; now only its owner can",
                    root);
        }
    }

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
                            + "), or its file format is damaged. Use that version, put back the"
                            + " directory from a copy, or choose another one with --data.");
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

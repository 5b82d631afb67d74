package orrery.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes files and directories that only their owner can use. Where a file system knows no
 * permissions it goes on without.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> OF_FILES =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_DIRECTORIES =
            PosixFilePermissions.fromString("rwx------");

    private static final boolean IS_POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /**
     * Writes a file that is complete or absent, or the old one, whatever happens: under another
     * name, synced, renamed, and the name synced too.
     */
    public static void write(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(draft);
        try (FileChannel channel = open(draft, StandardOpenOption.CREATE_NEW)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(
                draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sync(file.toAbsolutePath().getParent());
    }

    /** Opens a file for writing. */
    public static FileChannel open(Path file, StandardOpenOption how) throws IOException {
        return FileChannel.open(
                file, EnumSet.of(how, StandardOpenOption.WRITE), attributes(OF_FILES));
    }

    /** Makes a directory and those above it that are missing, so that they outlast a power cut. */
    public static Path directory(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        Path path = directory.toAbsolutePath().normalize();
        for (@Nullable Path each = path;
                each != null && !Files.exists(each);
                each = each.getParent()) {
            missing.push(each);
        }
        Files.createDirectories(path, attributes(OF_DIRECTORIES));
        for (Path made : missing) {
            sync(made.getParent());
        }
        return path;
    }

    /**
     * Takes from others what they may do with a file, or with a directory and all in it; nothing
     * happens to one that is not there. Links are not followed.
     *
     * @return whether others could do anything
     */
    public static boolean narrow(Path path) throws IOException {
        if (!IS_POSIX || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Narrowing narrowing = new Narrowing();
        Files.walkFileTree(path, narrowing);
        return narrowing.isAny;
    }

    /** The same for the directory itself, and not what is in it. */
    public static boolean narrowAlone(Path directory) throws IOException {
        return IS_POSIX && narrow(directory, OF_DIRECTORIES);
    }

    private static boolean narrow(Path path, Set<PosixFilePermission> most) throws IOException {
        Set<PosixFilePermission> kept = Files.getPosixFilePermissions(path);
        if (!kept.retainAll(most)) {
            return false;
        }
        Files.setPosixFilePermissions(path, kept);
        return true;
    }

    private static final class Narrowing extends SimpleFileVisitor<Path> {
        private boolean isAny;

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                throws IOException {
            isAny |= narrow(directory, OF_DIRECTORIES);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            isAny |= attributes.isRegularFile() && narrow(file, OF_FILES);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE; // deleted meanwhile
            }
            throw failure;
        }
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return IS_POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Elsewhere a directory cannot be opened, and names are synced with their files. */
    private static void sync(@Nullable Path directory) throws IOException {
        if (IS_POSIX && directory != null) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}

package orrery.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Directories that are there after a power failure too: their parents are synced. */
final class DurableDirectory {
    private DurableDirectory() {}

    /** Makes the directory of a file and those above it, as far as they are missing. */
    static void createFor(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            create(parent);
        }
    }

    /** Makes a directory and those above it, as far as they are missing. */
    static void create(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null || Files.isDirectory(directory)) {
            return;
        }
        create(parent);
        Files.createDirectory(directory);
        try (FileChannel entries = FileChannel.open(parent, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (AccessDeniedException e) {
            // Windows opens no directories; it writes their entries through.
        }
    }
}

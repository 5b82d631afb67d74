package orrery.server.audit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import orrery.storage.files.PrivateFiles;

/**
 * Lines in a row of files, of which the first is written and begun anew when it is full. The oldest
 * file goes when there are too many. For one thread.
 */
final class AuditFile implements Closeable {
    private final Path directory;
    private final String name;
    private final long maxBytes;
    private final int maxFiles;
    private @Nullable FileChannel channel;
    private long size;

    /**
     * @param name of the files, before their numbers
     * @param maxBytes of a file; a line that is longer has a file of its own
     */
    AuditFile(Path directory, String name, long maxBytes, int maxFiles) {
        this.directory = directory;
        this.name = name;
        this.maxBytes = maxBytes;
        this.maxFiles = maxFiles;
    }

    Path file(int number) {
        return directory.resolve(name + "." + number + ".jsonl");
    }

    /** Adds a line. Where that fails, the next call begins with the end of the last line. */
    void append(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            FileChannel open = channel == null ? open() : channel;
            if (size > 0 && size + bytes.length > maxBytes) {
                open.close();
                moveOn();
                open = open();
            }
            write(open, bytes);
        } catch (IOException failure) {
            close();
            throw failure;
        }
    }

    private FileChannel open() throws IOException {
        // A data directory that was taken away from the server is not made again.
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new NoSuchFileException(parent.toString());
        }
        PrivateFiles.directory(directory);
        boolean isTorn = isTorn(file(0));
        FileChannel opened = PrivateFiles.open(file(0), StandardOpenOption.CREATE);
        channel = opened;
        size = opened.size();
        opened.position(size);
        if (isTorn) {
            write(opened, new byte[] {'\n'});
        }
        return opened;
    }

    private void write(FileChannel to, byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            size += to.write(rest);
        }
    }

    /** Returns true if the last line has no end: the process was killed while it was written. */
    private static boolean isTorn(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return false;
        }
        try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return reader.read(last, reader.size() - 1) == 1 && last.get(0) != '\n';
        }
    }

    private void moveOn() throws IOException {
        for (int number = maxFiles - 1; number > 0; number--) {
            if (Files.exists(file(number - 1))) {
                Files.move(file(number - 1), file(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.deleteIfExists(file(0));
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}

package orrery.server.client.transfer;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import orrery.server.client.ClientException;
import orrery.server.client.FileTrouble;

/** The file, or standard input, that rows come from; unpacked where it is compressed. */
final class ImportFile implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final InputStream text;
    private final AtomicLong bytesRead;
    private final OptionalLong bytes;

    private ImportFile(InputStream text, AtomicLong bytesRead, OptionalLong bytes) {
        this.text = text;
        this.bytesRead = bytesRead;
        this.bytes = bytes;
    }

    static ImportFile standardInput() throws IOException {
        return open(System.in, OptionalLong.empty());
    }

    static ImportFile open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new ClientException(file + " is a directory. Name a file in it.");
        }
        try {
            return open(Files.newInputStream(file), OptionalLong.of(Files.size(file)));
        } catch (NoSuchFileException e) {
            throw new ClientException("There is no file " + file + ".", e);
        }
    }

    /** The content says what it is: a name may say anything. */
    private static ImportFile open(InputStream raw, OptionalLong bytes) throws IOException {
        AtomicLong count = new AtomicLong();
        PushbackInputStream in = new PushbackInputStream(new Counted(raw, count), 2);
        byte[] magic = in.readNBytes(2);
        in.unread(magic);
        boolean isPacked =
                magic.length == 2 && (magic[0] & 0xFF) == 0x1F && (magic[1] & 0xFF) == 0x8B;
        return new ImportFile(
                isPacked ? new GZIPInputStream(in, BUFFER) : new BufferedInputStream(in, BUFFER),
                count,
                bytes);
    }

    InputStream text() {
        return text;
    }

    Progress.Source source() {
        return new Progress.Source(bytesRead::get, bytes);
    }

    /** Returns the reason why the file cannot be read on. */
    static ClientException explain(String name, IOException e) {
        return e instanceof ZipException
                ? new ClientException(name + " is damaged: it does not unpack.", e)
                : new ClientException(name + " cannot be read: " + FileTrouble.reading(e) + ".", e);
    }

    @Override
    public void close() throws IOException {
        text.close();
    }

    private static final class Counted extends FilterInputStream {
        private final AtomicLong count;

        Counted(InputStream in, AtomicLong count) {
            super(in);
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            if (next >= 0) {
                count.incrementAndGet();
            }
            return next;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            if (read > 0) {
                count.addAndGet(read);
            }
            return read;
        }
    }
}

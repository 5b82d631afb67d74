package orrery.server.client.transfer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.server.client.ClientException;
import orrery.server.client.FileTrouble;
import orrery.server.client.OneLine;

/**
 * Rows that became no items, with the reasons. The first few are told; all of them are written, as
 * JSON Lines, where the person named a file. Safe for many threads.
 */
public final class Rejects implements AutoCloseable {
    private static final int TOLD = 10;

    private final Optional<Path> file;
    private final Progress progress;
    private @Nullable OutputStream out;
    private long count;

    public Rejects(Optional<Path> file, Progress progress) {
        this.file = file;
        this.progress = progress;
    }

    synchronized void add(Row row, String reason) {
        count++;
        String told = count <= TOLD ? "orrery: Line " + row.line() + " is rejected: " + reason : "";
        progress.rejected(count == TOLD + 1 ? "orrery: More lines are rejected." : told);
        file.ifPresent(path -> write(path, row, reason));
    }

    private void write(Path path, Row row, String reason) {
        try {
            if (out == null) {
                out = new BufferedOutputStream(Files.newOutputStream(path));
            }
            out.write(line(row, reason).toArray());
        } catch (IOException e) {
            throw new ClientException(
                    path + " cannot be written: " + FileTrouble.writing(e) + ".", e);
        }
    }

    /** A row that is JSON stays as it is, so that it can be mended and imported. */
    private static ByteSink line(Row row, String reason) {
        ByteSink line = new ByteSink().putAscii("{\"line\":" + row.line() + ",\"reason\":");
        JsonText.write(Value.of(reason), line);
        try {
            JsonText.parse(row.text());
            line.putAscii(",\"item\":").put(OneLine.of(row.text()));
        } catch (OrreryException notJson) {
            line.putAscii(",\"text\":");
            JsonText.write(Value.of(row.text().toUtf8()), line);
        }
        return line.putAscii("}\n");
    }

    @Override
    public synchronized void close() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

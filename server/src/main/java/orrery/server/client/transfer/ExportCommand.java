package orrery.server.client.transfer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.server.client.ClientException;
import orrery.server.client.ExitCode;
import orrery.server.client.FileTrouble;
import orrery.server.client.NotEmpty;
import orrery.server.client.Place;
import orrery.server.client.ServerCommand;
import orrery.server.client.SqlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the items of a container into a file. */
@Command(
        name = "export",
        header = "Writes the items of a container into a file.",
        description = {
            "Writes all items of a container, from all partitions, as JSON Lines or as a JSON array"
                    + " in UTF-8. What is written while the export runs may be in it or not.",
            "The file appears under its name when it is whole. A name that ends with .gz is written"
                    + " compressed.",
            "Exit code 0, 1 when the server refuses or does not answer or the file cannot be"
                    + " written, 2 when an option is wrong.",
            "Example: orrery export food/items --to items.jsonl"
        })
public final class ExportCommand extends ServerCommand {
    @Parameters(
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = "The file (default: standard output).")
    private @Nullable Path file;

    @Option(
            names = "--format",
            paramLabel = "json|jsonl",
            defaultValue = "jsonl",
            description = "One item on each line, or one array (default: ${DEFAULT-VALUE}).")
    private FileFormat format;

    @Option(
            names = "--system-properties",
            description = "With _rid, _self, _etag, _attachments and _ts.")
    private boolean hasSystemProperties;

    @Override
    public Integer call() {
        // Before the first request, as an export may take long.
        if (file != null) {
            FileTrouble.expectWritable(file);
        }
        Progress progress =
                new Progress(err(), Clock.systemUTC(), isTerminal(), Progress.Source.unknown());
        try (SqlClient client = open()) {
            Exporter exporter = new Exporter(client, place, format, hasSystemProperties, progress);
            if (file == null) {
                exporter.run(new ToWriter(), this::isClosed);
                out().flush();
            } else {
                write(exporter, file, progress);
            }
        } catch (IOException e) {
            throw new ClientException(
                    (file == null ? "Standard output" : file)
                            + " cannot be written: "
                            + FileTrouble.writing(e)
                            + ".",
                    e);
        }
        return ExitCode.OK;
    }

    private void write(Exporter exporter, Path target, Progress progress) throws IOException {
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        Thread atInterruption = new Thread(() -> delete(partial));
        Runtime.getRuntime().addShutdownHook(atInterruption);
        try {
            try (OutputStream out = packed(target, Files.newOutputStream(partial))) {
                exporter.run(out, () -> false);
            }
            Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            delete(partial);
            ImportCommand.removeHook(atInterruption);
        }
        progress.clear();
        Map<String, Value> json = new LinkedHashMap<>();
        json.put("file", Value.of(target.toString()));
        json.put("items", Value.of(progress.items()));
        json.put("bytes", Value.of(progress.itemBytes()));
        json.put("requestUnits", Value.of(Math.rint(progress.requestUnits() * 100) / 100));
        print(new Value.Obj(json), target + ": " + progress.describe() + ".");
    }

    private static OutputStream packed(Path target, OutputStream out) throws IOException {
        return target.toString().endsWith(".gz")
                ? new BufferedOutputStream(new GZIPOutputStream(out))
                : new BufferedOutputStream(out);
    }

    private static void delete(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException cannot) {
            // It is in nobody's way: the next export writes over it.
        }
    }

    /** Items are UTF-8 and come whole, so each piece is text by itself. */
    private final class ToWriter extends OutputStream {
        @Override
        public void write(int next) {
            out().write(next);
        }

        @Override
        public void write(byte[] text, int offset, int length) {
            out().write(new String(text, offset, length, StandardCharsets.UTF_8));
        }
    }
}

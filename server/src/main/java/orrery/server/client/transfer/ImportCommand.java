package orrery.server.client.transfer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.PropertyPath;
import orrery.server.client.ClientException;
import orrery.server.client.ExitCode;
import orrery.server.client.FileTrouble;
import orrery.server.client.NotEmpty;
import orrery.server.client.Place;
import orrery.server.client.ServerCommand;
import orrery.server.client.SqlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Writes the items of a file into a container. */
@Command(
        name = "import",
        header = "Writes the items of a file into a container.",
        description = {
            "Writes the items of a file into a container: JSON, an array or an object, or JSON"
                    + " Lines, also compressed with gzip. The file may be of any size.",
            "Rows without an id get one that follows from the row, so importing the same file again"
                    + " gives the same items. After an interruption run the same command again.",
            "Exit code 0, 1 when the server refuses or does not answer or the file cannot be read,"
                    + " 2 when an option is wrong, 3 when rows are rejected.",
            "Example: orrery import items.jsonl --into food/items --rejects rejected.jsonl"
        })
public final class ImportCommand extends ServerCommand {
    private static final int MOST_PARALLEL = 64;

    enum Mode {
        CREATE,
        UPSERT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Path STANDARD_INPUT = Path.of("-");

    @Parameters(
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = "The file, or - to read standard input.")
    private Path file;

    @Option(
            names = "--into",
            paramLabel = "DB/CONTAINER",
            required = true,
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Option(
            names = "--mode",
            paramLabel = "create|upsert",
            defaultValue = "upsert",
            description =
                    "upsert replaces items that are there, create rejects their rows (default:"
                            + " ${DEFAULT-VALUE}).")
    private Mode mode;

    @Option(
            names = "--format",
            paramLabel = "json|jsonl",
            description =
                    "The format of the file (default: jsonl for names in .jsonl and .ndjson, else what"
                            + " its first line looks like).")
    private @Nullable FileFormat format;

    @Option(
            names = "--id-from",
            paramLabel = "PATH",
            converter = PathConverter.class,
            description = "Take the id of each item from this path, as /number.")
    private @Nullable PropertyPath idFrom;

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = "Write rejected rows there, with line and reason, as JSON Lines.")
    private @Nullable Path rejectsFile;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "8",
            description = "Requests at the same time, 1 to 64 (default: ${DEFAULT-VALUE}).")
    private int parallel;

    @Override
    public Integer call() {
        if (parallel < 1 || parallel > MOST_PARALLEL) {
            throw usage("--parallel must be from 1 to " + MOST_PARALLEL + ".");
        }
        boolean isStandardInput = file.equals(STANDARD_INPUT);
        String name = isStandardInput ? "Standard input" : file.toString();
        if (rejectsFile != null) {
            checkRejects(rejectsFile, isStandardInput ? Path.of("/dev/stdin") : file);
        }
        try (ImportFile source =
                isStandardInput ? ImportFile.standardInput() : ImportFile.open(file)) {
            Progress progress =
                    new Progress(err(), Clock.systemUTC(), isTerminal(), source.source());
            Thread atInterruption = new Thread(() -> tellInterruption(progress));
            Runtime.getRuntime().addShutdownHook(atInterruption);
            try {
                transfer(source, progress);
            } finally {
                removeHook(atInterruption);
            }
            return tell(progress);
        } catch (EOFException e) {
            throw new ClientException(name + " is damaged: it ends too early.", e);
        } catch (IOException e) {
            throw ImportFile.explain(name, e);
        }
    }

    /** Rejected rows must not be written over the rows that are still to be read. */
    private static void checkRejects(Path rejects, Path input) {
        try {
            if (Files.exists(input) && Files.exists(rejects) && Files.isSameFile(input, rejects)) {
                throw new ClientException(
                        "--rejects "
                                + rejects
                                + " is the file to import, which would be lost. Name another file.");
            }
        } catch (IOException e) {
            throw new ClientException(
                    rejects + " cannot be written: " + FileTrouble.writing(e) + ".", e);
        }
        FileTrouble.expectWritable(rejects);
    }

    private void transfer(ImportFile source, Progress progress) throws IOException {
        try (SqlClient client = open();
                Rejects rejects = new Rejects(Optional.ofNullable(rejectsFile), progress)) {
            client.read(place); // before the file is read, so that a wrong name is told at once
            Rows rows =
                    new RowReader(
                            source.text(),
                            Optional.ofNullable(format)
                                    .or(() -> FileFormat.ofName(file.toString()))
                                    .map(
                                            each ->
                                                    each == FileFormat.JSONL
                                                            ? RowReader.Layout.LINES
                                                            : RowReader.Layout.OBJECTS));
            new Importer(client, place, mode == Mode.UPSERT, parallel, progress, rejects)
                    .run(rows, new ItemMaker(Optional.ofNullable(idFrom)));
        } catch (ClientException | IOException failure) {
            progress.clear();
            tellFailure(progress.items());
            throw failure;
        }
    }

    private void tellFailure(long written) {
        String again = " before. Run the same command again to go on.";
        if (written == 0) {
            warn("No item was written.");
        } else {
            warn(
                    written == 1
                            ? "1 item was written" + again
                            : written + " items were written" + again);
        }
    }

    private void tellInterruption(Progress progress) {
        progress.clear();
        warn(
                "Interrupted: "
                        + progress.describe()
                        + ". Run the same command again; what is there is written over.");
    }

    static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException isShuttingDown) {
            // It runs already.
        }
    }

    private int tell(Progress progress) {
        progress.clear();
        Map<String, Value> json = new LinkedHashMap<>();
        json.put("written", Value.of(progress.items()));
        json.put("rejected", Value.of(progress.rejectedCount()));
        json.put("bytes", Value.of(progress.itemBytes()));
        json.put("requestUnits", Value.of(Math.rint(progress.requestUnits() * 100) / 100));
        json.put("throttled", Value.of(progress.throttledCount()));
        print(new Value.Obj(json), place + ": " + progress.describe() + ".");
        if (progress.rejectedCount() == 0) {
            return ExitCode.OK;
        }
        if (progress.items() == 0 && progress.notJsonCount() == progress.rejectedCount()) {
            warn("No row is JSON. Only JSON and JSON Lines can be imported.");
        }
        boolean isOne = progress.rejectedCount() == 1;
        warn(
                (isOne ? "1 row is rejected. " : progress.rejectedCount() + " rows are rejected. ")
                        + (rejectsFile == null
                                ? "Pass --rejects FILE to keep " + (isOne ? "it." : "them.")
                                : (isOne ? "It is" : "They are") + " in " + rejectsFile + "."));
        return ExitCode.CHECK_FAILED;
    }

    /** Reads a path such as {@code /number}. */
    static final class PathConverter implements ITypeConverter<PropertyPath> {
        @Override
        public PropertyPath convert(String text) {
            try {
                return PropertyPath.parse(text);
            } catch (IllegalArgumentException notAPath) {
                throw new TypeConversionException("'" + text + "' is not a path such as /number.");
            }
        }
    }
}

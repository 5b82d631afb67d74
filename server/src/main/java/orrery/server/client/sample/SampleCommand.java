package orrery.server.client.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.server.client.ClientException;
import orrery.server.client.CreateCommand;
import orrery.server.client.ExitCode;
import orrery.server.client.Hint;
import orrery.server.client.Place;
import orrery.server.client.ServerCommand;
import orrery.server.client.SqlClient;
import orrery.server.client.ThroughputCommand;
import orrery.server.client.transfer.Importer;
import orrery.server.client.transfer.Progress;
import orrery.server.client.transfer.Rejects;
import orrery.server.client.transfer.Row;
import orrery.server.client.transfer.Rows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates containers and fills them with data to try things on. */
@Command(
        name = "sample",
        header = "Creates a database with data to try things on.",
        description = {
            "Creates a database with data to try things on, the same items each time. Without a name"
                    + " it lists the samples. Where a sample is there already, it is left alone.",
            "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is wrong.",
            "Example: orrery sample food"
        })
public final class SampleCommand extends ServerCommand {
    private static final int PARALLEL = 8;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Sample sample;

    @Option(
            names = "--into",
            paramLabel = "DB",
            description = "The database (default: one of the sample's name).")
    private @Nullable String database;

    @Option(names = "--replace", description = "Delete the containers of the sample first.")
    private boolean replace;

    @Override
    public Integer call() {
        if (sample == null) {
            if (database != null || replace) {
                throw usage("--into and --replace go with the name of a sample.");
            }
            list();
            return ExitCode.OK;
        }
        if (database != null && (database.isEmpty() || database.contains("/"))) {
            throw usage("--into takes the name of a database, without a container.");
        }
        Place place = Place.ofDatabase(database == null ? sample.toString() : database);
        try (SqlClient client = open()) {
            make(client, place, sample);
        }
        return ExitCode.OK;
    }

    private void list() {
        List<Value> json = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (Sample each : Sample.values()) {
            lines.add(each + ": " + each.description());
            List<Value> containers = new ArrayList<>();
            for (Sample.Contents contents : each.contents()) {
                long items = contents.items().get().count();
                lines.add(
                        "  %s/%s  key %s, %d items, %d RU/s"
                                .formatted(
                                        each,
                                        contents.container(),
                                        contents.key(),
                                        items,
                                        contents.throughput()));
                containers.add(
                        new Items()
                                .put("id", contents.container())
                                .put("partitionKeyPath", contents.key())
                                .put("items", items)
                                .put("throughput", contents.throughput())
                                .build());
            }
            json.add(
                    new Items()
                            .put("sample", each.toString())
                            .put("description", each.description())
                            .put("containers", new Value.Array(containers))
                            .build());
        }
        lines.add("Create one with: " + Hint.program() + " sample NAME");
        print(new Value.Array(json), String.join(System.lineSeparator(), lines));
    }

    private void make(SqlClient client, Place place, Sample wanted) {
        List<Sample.Contents> present =
                wanted.contents().stream()
                        .filter(each -> client.find(at(place, each)).isPresent())
                        .toList();
        if (replace) {
            present.forEach(each -> client.delete(at(place, each)));
        } else if (!present.isEmpty()) {
            requireWhole(client, place, wanted);
            report(place, wanted, false);
            return;
        }
        if (client.find(place).isEmpty()) {
            client.create(place, new Items().put("id", place.database()).build(), Map.of());
        }
        wanted.contents().forEach(each -> fill(client, at(place, each), each));
        report(place, wanted, true);
    }

    /** A run that was interrupted leaves less than there should be. */
    private static void requireWhole(SqlClient client, Place place, Sample wanted) {
        for (Sample.Contents each : wanted.contents()) {
            Place container = at(place, each);
            boolean isWhole =
                    client.find(container).isPresent()
                            && count(client, container) >= each.items().get().count();
            if (!isWhole) {
                throw new ClientException(
                        container
                                + " is missing or has fewer items than the sample. Pass --replace"
                                + " to create the sample anew.");
            }
        }
    }

    private static long count(SqlClient client, Place container) {
        return client.operator().partitions(container, 0).objects("partitions").stream()
                .mapToLong(each -> each.integer("items"))
                .sum();
    }

    private void fill(SqlClient client, Place container, Sample.Contents contents) {
        Map<String, Value> body = new LinkedHashMap<>();
        body.put("id", Value.of(contents.container()));
        body.put("partitionKey", CreateCommand.partitionKey(List.of(contents.key())));
        client.create(
                container,
                new Value.Obj(body),
                Map.of("x-ms-offer-throughput", Integer.toString(contents.filledWith())));
        Progress progress =
                new Progress(err(), Clock.systemUTC(), isTerminal(), Progress.Source.unknown());
        try (Rejects rejects = new Rejects(Optional.empty(), progress)) {
            new Importer(client, container, true, PARALLEL, progress, rejects)
                    .run(rows(contents.items().get().iterator()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        progress.clear();
        if (progress.rejectedCount() > 0) {
            throw new ClientException(
                    "The server rejects items of the sample. Pass --replace to try again.");
        }
        if (contents.throughput() != contents.filledWith()) {
            ThroughputCommand.setManual(client.operator(), container, contents.throughput());
        }
    }

    private static Rows rows(Iterator<Value.Obj> items) {
        long[] count = {0};
        return () ->
                items.hasNext()
                        ? Optional.of(
                                new Row(
                                        ++count[0],
                                        count[0],
                                        JsonText.writeBytes(items.next()),
                                        false))
                        : Optional.empty();
    }

    private void report(Place place, Sample wanted, boolean isNew) {
        List<Value> containers = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (Sample.Contents each : wanted.contents()) {
            long items = each.items().get().count();
            containers.add(
                    new Items()
                            .put("id", each.container())
                            .put("partitionKeyPath", each.key())
                            .put("items", items)
                            .build());
            lines.add(
                    at(place, each)
                            + (isNew ? " is created: " : " is there already: ")
                            + items
                            + " items, key "
                            + each.key());
        }
        if (!isNew) {
            lines.add("Nothing is changed. --replace creates it anew.");
        }
        print(
                new Items()
                        .put("sample", wanted.toString())
                        .put("database", place.database())
                        .put("created", Value.of(isNew))
                        .put("containers", new Value.Array(containers))
                        .build(),
                String.join(System.lineSeparator(), lines));
    }

    private static Place at(Place database, Sample.Contents contents) {
        return database.withContainer(contents.container());
    }
}

package orrery.server;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogState;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.PartitionId;
import orrery.partition.audit.StoreAudit;
import orrery.partition.machine.PartitionMachine;
import orrery.partition.machine.PartitionState;
import orrery.server.client.Count;
import orrery.server.client.ExitCode;
import orrery.server.client.Hint;
import orrery.server.client.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Recounts a data directory while no server uses it. */
@Command(
        name = "check",
        header = "Recounts the data of a stopped server.",
        description = {
            "Recounts the data of a stopped server: every item has its index entries and its change",
            "record, nothing points nowhere, all counters equal what is there, and the catalog knows",
            "the same partitions. A store that is missing, foreign or older than the other is named.",
            "Exit code 0 when all is well, 1 when the data cannot be read, 2 when an option is wrong,",
            "3 with the findings.",
            "Example: orrery check --data orrery-data"
        })
final class CheckCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = Hint.DEFAULT_DATA,
            description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Mixin private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        DataDirectory.expect(data);
        PrintWriter out = spec.commandLine().getOut();
        try (DataDirectory directory = DataDirectory.open(Optional.of(data));
                Stores stores = Stores.openExisting(directory)) {
            List<String> findings = new ArrayList<>(stores.lostMarks());
            findings.addAll(StoreAudit.run(stores.replicaSet()));
            long items = 0;
            Map<PartitionId, PartitionState> partitions =
                    new PartitionMachine(stores.replicaSet()).partitions();
            CatalogState catalog = new CatalogMachine(stores.catalog()).state();
            stores.expectHosted(catalog);
            findings.addAll(CatalogAgreement.losses(catalog, partitions));
            findings.addAll(CatalogAgreement.leftovers(catalog, partitions));
            for (PartitionState partition : partitions.values()) {
                items += partition.record().size().items();
            }
            if (output.isJson()) {
                out.println(json(directory.root(), partitions.size(), items, findings));
                out.flush();
                return findings.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
            }
            findings.forEach(out::println);
            out.println(
                    (findings.isEmpty() ? "All is well" : new Count(findings.size(), "finding"))
                            + " in "
                            + directory.root()
                            + ": "
                            + new Count(partitions.size(), "physical partition")
                            + " with "
                            + new Count(items, "item")
                            + " recounted");
            out.flush();
            return findings.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
        }
    }

    private static String json(Path root, int partitions, long items, List<String> findings) {
        Map<String, Value> json = new LinkedHashMap<>();
        json.put("data", Value.of(root.toString()));
        json.put("partitions", Value.of((long) partitions));
        json.put("items", Value.of(items));
        json.put("findings", new Value.Array(findings.stream().map(Value::of).toList()));
        return JsonText.write(new Value.Obj(json));
    }
}

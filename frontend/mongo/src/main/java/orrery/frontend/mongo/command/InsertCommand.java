package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Set;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Items;
import orrery.model.Bytes;

/** {@code insert}. */
final class InsertCommand {
    private final Items items;
    private final Catalogue catalogue;
    private final ObjectIds ids;

    InsertCommand(Items items, Catalogue catalogue, ObjectIds ids) {
        this.items = items;
        this.catalogue = catalogue;
        this.ids = ids;
    }

    void addTo(CommandTable table) {
        table.write(
                "insert", Set.of("documents", "ordered", "bypassDocumentValidation"), this::insert);
    }

    private Bytes insert(CommandRequest request) {
        Namespace namespace = request.namespace();
        // A transaction writes nothing or all, so it has no other order.
        boolean ordered = request.arguments().flag("ordered", true) || request.isInTransaction();
        int count = WriteBatch.size(request, "documents");
        WriteBatch.requireDocuments(request, "documents");
        Statements statements = Statements.of(request, count);
        ContainerRef.Resolved container = catalogue.findOrCreate(request, namespace);
        WriteErrors errors =
                new WriteErrors(
                        StatementFailures.of(request, statements, catalogue), namespace, ordered);
        InsertRun run = new InsertRun(items, request, container, ordered, statements, errors);
        for (int i = 0; i < count && !errors.isOver(); i++) {
            int index = i;
            run.add(i, () -> document(request, index, container));
        }
        run.flush();
        return statements.addTo(errors.addTo(new Doc().putCount("n", errors.inserted()))).ok();
    }

    private NewDocument document(CommandRequest request, int i, ContainerRef.Resolved container) {
        List<Bytes> raw = request.sequences().get("documents");
        if (raw != null) {
            return NewDocument.read(raw.get(i), container.container(), ids);
        }
        Value element = request.arguments().array("documents").orElseThrow().get(i);
        return NewDocument.of((Value.Obj) element, container.container(), ids);
    }
}

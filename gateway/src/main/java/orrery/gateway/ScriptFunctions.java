package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import orrery.cluster.api.Catalog;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptSource;
import orrery.model.SizeLimits;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.Script;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.WriteResponse;

/**
 * Brings to scripts the functions that their queries call. A partition has no catalog, and which
 * functions a script calls is known when it does; so it is given those that its text seems to name,
 * and asks for others. As nothing is written before a script has ended, it can run from its start
 * again.
 */
final class ScriptFunctions {
    /** The most times that a script may have to begin again. */
    private static final int MAX_ROUNDS = 16;

    /** Sources that go with a request, all together. */
    private static final int MAX_CHARS = SizeLimits.DEFAULT.maxPageBytes();

    private final Catalog catalog;

    ScriptFunctions(Catalog catalog) {
        this.catalog = catalog;
    }

    /** A guess that saves most scripts the asking. */
    List<ScriptSource> namedIn(Container container, List<String> texts) {
        if (texts.stream().noneMatch(text -> text.contains("udf"))) {
            return List.of();
        }
        List<ScriptSource> named = new ArrayList<>();
        int chars = 0;
        for (Script.Head head : catalog.scripts(container, Kind.FUNCTION, 0, Integer.MAX_VALUE)) {
            if (texts.stream().anyMatch(text -> text.contains(head.name()))) {
                Optional<ScriptSource> source = find(container, head.name());
                chars += source.map(found -> found.body().length()).orElse(0);
                if (chars > MAX_CHARS / 2) {
                    break;
                }
                source.ifPresent(named::add);
            }
        }
        return named;
    }

    /** Calls a partition, again where a script turns out to need more. Every time is paid for. */
    PartitionResponse call(
            Container container, ScriptPlace place, Function<ScriptPlace, PartitionResponse> call) {
        ScriptPlace told = place;
        Charge spent = Charge.NONE;
        try {
            for (int round = 0; round <= MAX_ROUNDS; round++) {
                PartitionResponse.Charged response = (PartitionResponse.Charged) call.apply(told);
                if (!(response instanceof WriteResponse.FunctionsNeeded needed)) {
                    return response.withCharge(spent.plus(response.charge()));
                }
                spent = spent.plus(needed.charge());
                told = with(container, told, needed.names());
            }
        } catch (OrreryException failure) {
            throw failure.withCharge(spent.plus(failure.charge()));
        }
        throw new OrreryException(
                        ErrorCode.BAD_REQUEST,
                        "The queries of this script call too many functions whose names are not in"
                                + " its text.")
                .withCharge(spent);
    }

    private ScriptPlace with(Container container, ScriptPlace place, List<String> names) {
        List<ScriptSource> functions = new ArrayList<>(place.functions());
        Set<String> unknown = new TreeSet<>(place.unknown());
        for (String name : names) {
            find(container, name).ifPresentOrElse(functions::add, () -> unknown.add(name));
        }
        if (functions.stream().mapToLong(source -> source.body().length()).sum() > MAX_CHARS) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "The functions that the queries of a script call may have "
                            + MAX_CHARS
                            + " characters together.");
        }
        return new ScriptPlace(
                place.database(), place.databaseName(), place.containerName(), functions, unknown);
    }

    private Optional<ScriptSource> find(Container container, String name) {
        return catalog.findScript(container, Kind.FUNCTION, name).map(Script::source);
    }
}

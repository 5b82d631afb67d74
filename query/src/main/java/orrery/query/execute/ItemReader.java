package orrery.query.execute;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import orrery.document.ByteSink;
import orrery.document.HeapSize;
import orrery.document.JsonText;
import orrery.document.PropertyNames;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.metering.RequestCharge;
import orrery.query.execute.Timings.Kind;
import orrery.query.index.PathValues;

/** Reads the items of a page and writes its results. What that takes is counted and timed. */
final class ItemReader {
    private static final Value.Obj NOTHING_READ = new Value.Obj(Map.of());
    private static final int ROW_BYTES = 256;

    /** Items of more bytes are measured when they have been read; it takes time. */
    private static final int ESTIMATED_BYTES = 2 << 10;

    private final PreparedQuery query;
    private final ItemSource source;
    private final SystemProperties system;
    private final ItemView view;
    private final PageWork work;
    private final Timings timings;
    private final ByteSink text = new ByteSink(ROW_BYTES);

    ItemReader(
            PreparedQuery query,
            ItemSource source,
            SystemProperties system,
            PageWork work,
            Timings timings) {
        this.query = query;
        this.source = source;
        this.system = system;
        this.view = new ItemView(system, query.program().encoding());
        this.work = work;
        this.timings = timings;
    }

    /** Like {@link Candidates#next}, and measures the time. */
    Candidates.Step next(Candidates candidates) {
        Optional<Kind> kind = candidates.measuredAs();
        return kind.isPresent() ? timings.measure(kind.get(), candidates::next) : candidates.next();
    }

    /** The item of a candidate; what has to be read for it is counted. */
    Item load(Candidates candidates) {
        Optional<Item> known = candidates.item();
        Item item = known.isPresent() ? known.get() : stored(candidates.key());
        if (!candidates.isCounted()) {
            count(item);
        }
        return item;
    }

    /** The item with a key, which is counted. */
    Item load(Bytes key) {
        Item item = stored(key);
        count(item);
        return item;
    }

    private Item stored(Bytes key) {
        return timings.measure(Kind.LOAD, () -> source.load(key));
    }

    private void count(Item item) {
        work.document(RequestCharge.itemBytes(item.body().length()));
    }

    /** Notes that a candidate matches; those that were sorted have been counted before. */
    void matched(Candidates candidates) {
        if (!candidates.isCounted()) {
            work.match();
        }
    }

    /** The parts of an item that the query looks at. */
    Value read(Item item) {
        return read(item, query.names().ofCandidates());
    }

    /** Reads what groups need of a candidate that is known to match. */
    Value readMatch(Candidates candidates) {
        if (query.names().isNothingOfMatches()) {
            return NOTHING_READ;
        }
        Value item = read(load(candidates), query.names().ofMatches());
        matched(candidates);
        return item;
    }

    private Value read(Item item, Optional<PropertyNames> names) {
        if (names.isPresent() && names.get().isEmpty()) {
            return NOTHING_READ;
        }
        int length = item.body().length();
        if (length <= ESTIMATED_BYTES) {
            work.memory().makeRoom((long) length * HeapSize.BYTES_PER_JSON_BYTE);
        }
        Value value = view.read(item, names);
        if (length > ESTIMATED_BYTES) {
            work.memory().makeRoom(length + HeapSize.of(value));
        }
        return value;
    }

    /** Returns the values at the indexed paths of an item that was read. */
    PathValues paths(Value item) {
        return new PathValues(item, query.computed(), work.effort());
    }

    /** The item as clients see it. */
    Bytes write(Item item) {
        return measured(
                () -> {
                    if (query.program().encoding() == Encoding.BSON) {
                        return item.encoding() == Encoding.BSON
                                ? item.body()
                                : RowEncoding.BSON.write(view.read(item, _ -> true));
                    }
                    text.clear();
                    if (query.form() == PreparedQuery.RowForm.ITEM_AND_ETAG) {
                        SystemProperties.spliceEtag(text, item);
                    } else {
                        system.splice(text, item, OptionalLong.empty());
                    }
                    return text.toBytes();
                });
    }

    Bytes write(Value result) {
        return measured(
                () -> {
                    if (query.program().encoding() == Encoding.BSON) {
                        return RowEncoding.BSON.write(result);
                    }
                    text.clear();
                    JsonText.write(result, text);
                    return text.toBytes();
                });
    }

    private Bytes measured(Supplier<Bytes> writing) {
        return timings.measure(Kind.WRITE, writing);
    }
}

package orrery.document;

import java.util.ArrayList;
import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** The place of a value in an item: names of properties, and steps into the elements of arrays. */
public record IndexPath(List<Step> steps) {
    /** One step down. */
    public sealed interface Step {
        record Property(String name) implements Step {}

        /** Any element of an array: positions are not indexed. */
        enum Element implements Step {
            ELEMENT
        }
    }

    private static final int PROPERTY = 1;
    private static final int ELEMENT = 2;

    public static final IndexPath ROOT = new IndexPath(List.of());

    public IndexPath {
        steps = List.copyOf(steps);
    }

    public static IndexPath of(String... names) {
        IndexPath path = ROOT;
        for (String name : names) {
            path = path.property(name);
        }
        return path;
    }

    public IndexPath property(String name) {
        return with(new Step.Property(name));
    }

    public IndexPath element() {
        return with(Step.Element.ELEMENT);
    }

    /** Returns true if this is the property at which the path begins. */
    public boolean startsWith(String name) {
        return !steps.isEmpty() && steps.getFirst().equals(new Step.Property(name));
    }

    public void write(BinaryWriter out) {
        out.list(steps, IndexPath::writeStep);
    }

    public static IndexPath read(BinaryReader in) {
        return new IndexPath(in.list(IndexPath::readStep));
    }

    private static void writeStep(BinaryWriter out, Step step) {
        switch (step) {
            case Step.Property(String name) -> out.u8(PROPERTY).string(name);
            case Step.Element _ -> out.u8(ELEMENT);
        }
    }

    private static Step readStep(BinaryReader in) {
        return switch (in.u8()) {
            case PROPERTY -> new Step.Property(in.string());
            case ELEMENT -> Step.Element.ELEMENT;
            default -> throw new MalformedRecordException("unknown step of a path");
        };
    }

    private IndexPath with(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new IndexPath(longer);
    }
}

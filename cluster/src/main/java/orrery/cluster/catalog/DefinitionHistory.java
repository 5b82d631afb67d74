package orrery.cluster.catalog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import orrery.model.ContainerDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.Container;

/**
 * The definitions that a container had before the present one, oldest first. It keeps as many of
 * the latest as the {@link CatalogLevel} allows.
 */
public record DefinitionHistory(List<Earlier> definitions) {
    static final int VERSION = 1;
    static final DefinitionHistory NONE = new DefinitionHistory(List.of());

    /**
     * A definition that was in force from its time until that of the next one.
     *
     * @param version the last version under which partitions were told this definition
     */
    public record Earlier(int version, long sinceMillis, ContainerDefinition definition) {
        private void write(BinaryWriter out) {
            out.u32(version).u64(sinceMillis);
            definition.write(out);
        }

        private static Earlier read(BinaryReader in) {
            return new Earlier(in.u32(), in.u64(), ContainerDefinition.read(in));
        }

        private int bytes() {
            BinaryWriter out = new BinaryWriter(256);
            write(out);
            return out.length();
        }
    }

    public DefinitionHistory {
        definitions = List.copyOf(definitions);
    }

    /** The history once another definition takes the place of this one. */
    DefinitionHistory plus(Container replaced, CatalogLevel level) {
        List<Earlier> all = new ArrayList<>(definitions);
        // A clock may have gone back between two of them.
        long earliest = definitions.isEmpty() ? 0 : definitions.getLast().sinceMillis();
        all.add(
                new Earlier(
                        replaced.definitionVersion(),
                        Math.max(earliest, replaced.timestampMillis()),
                        replaced.definition()));
        Deque<Earlier> kept = new ArrayDeque<>();
        int bytes = 0;
        for (Earlier earlier : all.reversed()) {
            bytes += earlier.bytes();
            boolean isFull =
                    bytes > level.maxDefinitionBytes() || kept.size() == level.maxDefinitions();
            if (!kept.isEmpty() && isFull) {
                break;
            }
            kept.addFirst(earlier);
        }
        return new DefinitionHistory(List.copyOf(kept));
    }

    void write(BinaryWriter out) {
        out.list(definitions, (w, earlier) -> earlier.write(w));
    }

    static DefinitionHistory read(BinaryReader in) {
        return new DefinitionHistory(in.list(Earlier::read));
    }
}

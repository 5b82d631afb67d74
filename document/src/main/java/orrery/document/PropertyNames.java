package orrery.document;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names of top-level properties, made ready to be looked for in many items. */
public final class PropertyNames {
    /** Those of bodies, and behind them those of the service. */
    private final String[] names;

    private final byte[][] utf8;
    private final int ofBody;
    private final Set<String> ofService;

    public PropertyNames(Collection<String> wanted) {
        Set<String> system = new HashSet<>(wanted);
        system.removeIf(name -> !SystemProperties.isSystemProperty(name));
        this.ofService = Set.copyOf(system);
        this.names =
                Stream.concat(
                                wanted.stream().filter(name -> !ofService.contains(name)),
                                ofService.stream())
                        .distinct()
                        .toArray(String[]::new);
        this.ofBody = names.length - ofService.size();
        this.utf8 =
                Arrays.stream(names)
                        .map(name -> name.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
    }

    public boolean isEmpty() {
        return names.length == 0;
    }

    public boolean contains(String name) {
        return Arrays.asList(names).contains(name);
    }

    public int size() {
        return names.length;
    }

    /** Returns the number of names that are properties of a body. */
    int ofBody() {
        return ofBody;
    }

    /** Returns the names that the service adds to an item. */
    Set<String> ofService() {
        return ofService;
    }

    /**
     * Finds the name of a body whose UTF-8 form stands, without escapes, between two places of a
     * text.
     */
    @Nullable String find(byte[] text, int from, int to) {
        return find(ofBody, text, from, to);
    }

    /**
     * Like {@link #find(byte[], int, int)}, also among the names that the service adds to items.
     */
    @Nullable String findAny(byte[] text, int from, int to) {
        return find(names.length, text, from, to);
    }

    private @Nullable String find(int count, byte[] text, int from, int to) {
        for (int i = 0; i < count; i++) {
            byte[] name = utf8[i];
            if (name.length == to - from && Arrays.equals(name, 0, name.length, text, from, to)) {
                return names[i];
            }
        }
        return null;
    }

    @Nullable String find(String name) {
        return Arrays.asList(names).subList(0, ofBody).contains(name) ? name : null;
    }
}

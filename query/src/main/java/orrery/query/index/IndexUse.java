package orrery.query.index;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import orrery.document.IndexPath;
import orrery.model.PropertyPath;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The indexes that a query used, and those it could have used if the policy had them. Paths are
 * written as in a policy.
 *
 * @param composites used, each a list of paths with their directions
 * @param missing single paths that the policy leaves out
 * @param missingComposites composite indexes that would find the items in one place
 */
public record IndexUse(
        List<String> paths,
        List<List<String>> composites,
        List<String> missing,
        List<List<String>> missingComposites) {
    public static final IndexUse NONE = new IndexUse(List.of(), List.of(), List.of(), List.of());

    public IndexUse {
        paths = List.copyOf(paths);
        composites = composites.stream().map(List::copyOf).toList();
        missing = List.copyOf(missing);
        missingComposites = missingComposites.stream().map(List::copyOf).toList();
    }

    /** The use of a partition key, or of its first paths. */
    public static IndexUse ofKey(List<PropertyPath> paths) {
        return new IndexUse(
                paths.stream()
                        .map(path -> text(IndexPath.of(path.segments().toArray(String[]::new))))
                        .map(path -> path + "/?")
                        .toList(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns true if no index was used. */
    public boolean isOfNone() {
        return paths.isEmpty() && composites.isEmpty();
    }

    /** Merges the uses of a query that ran in several places. */
    public IndexUse plus(IndexUse other) {
        return new IndexUse(
                union(paths, other.paths),
                union(composites, other.composites),
                union(missing, other.missing),
                union(missingComposites, other.missingComposites));
    }

    private static <T> List<T> union(List<T> left, List<T> right) {
        Set<T> all = new LinkedHashSet<>(left);
        all.addAll(right);
        return new ArrayList<>(all);
    }

    /** {@code /a/"b c"/[]}, as a policy writes it. */
    public static String text(IndexPath path) {
        StringBuilder text = new StringBuilder();
        for (IndexPath.Step step : path.steps()) {
            text.append('/');
            switch (step) {
                case IndexPath.Step.Element _ -> text.append("[]");
                case IndexPath.Step.Property(String name) -> {
                    boolean isPlain =
                            !name.isEmpty()
                                    && name.codePoints()
                                            .allMatch(
                                                    c -> Character.isLetterOrDigit(c) || c == '_');
                    text.append(
                            isPlain
                                    ? name
                                    : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
                }
            }
        }
        return text.toString();
    }

    public void write(BinaryWriter out) {
        out.list(paths, BinaryWriter::string)
                .list(composites, IndexUse::writeList)
                .list(missing, BinaryWriter::string)
                .list(missingComposites, IndexUse::writeList);
    }

    public static IndexUse read(BinaryReader in) {
        return new IndexUse(
                in.list(BinaryReader::string),
                in.list(r -> r.list(BinaryReader::string)),
                in.list(BinaryReader::string),
                in.list(r -> r.list(BinaryReader::string)));
    }

    private static void writeList(BinaryWriter out, List<String> texts) {
        out.list(texts, BinaryWriter::string);
    }
}

package orrery.query.mongo.update;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds paths of which one is the other or leads to it: an update may not change both. */
final class PathConflicts {
    private final Node root = new Node();
    private Optional<Conflict> first = Optional.empty();

    /**
     * @param path the one that came later
     * @param at where it meets the other
     */
    record Conflict(String path, String at) {}

    private static final class Node {
        private final Map<String, Node> children = new HashMap<>();
        private boolean isEnd;
    }

    void add(UpdatePath path) {
        List<String> parts = path.parts();
        Node node = root;
        for (int i = 0; i < parts.size(); i++) {
            node = node.children.computeIfAbsent(parts.get(i), _ -> new Node());
            boolean isLast = i == parts.size() - 1;
            if (node.isEnd || (isLast && !node.children.isEmpty())) {
                note(path, i + 1);
                return;
            }
        }
        node.isEnd = true;
    }

    private void note(UpdatePath path, int length) {
        if (first.isEmpty()) {
            first =
                    Optional.of(
                            new Conflict(
                                    path.dotted(),
                                    String.join(".", path.parts().subList(0, length))));
        }
    }

    Optional<Conflict> first() {
        return first;
    }
}

package orrery.query.syntax;

import java.util.function.Consumer;

/**
 * Counts the nodes of a syntax tree: every expression, wherever it stands. Making a query ready
 * takes time and memory in proportion to them.
 */
public final class SyntaxSize {
    private SyntaxSize() {}

    public static int of(Query query) {
        return count(walk -> walk.visit(query));
    }

    static int of(Condition condition) {
        return count(walk -> walk.visit(condition));
    }

    static int of(Scalar scalar) {
        return count(walk -> walk.visit(scalar));
    }

    private static int count(Consumer<SyntaxWalk> tree) {
        int[] nodes = {0};
        tree.accept(new SyntaxWalk(_ -> nodes[0]++));
        return nodes[0];
    }
}

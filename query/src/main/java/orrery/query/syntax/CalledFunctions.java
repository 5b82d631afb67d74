package orrery.query.syntax;

import java.util.Set;
import java.util.TreeSet;

/** Finds the functions of users that a query calls, wherever it does. */
public final class CalledFunctions {
    private CalledFunctions() {}

    /** Returns their names, without the {@code udf.} before them. */
    public static Set<String> of(Query query) {
        Set<String> names = new TreeSet<>();
        SyntaxWalk walk =
                new SyntaxWalk(
                        scalar -> {
                            if (scalar instanceof Scalar.UdfCall(String name, _)) {
                                names.add(name);
                            }
                        });
        walk.visit(query);
        return names;
    }

    /** Returns false if a query calls a function whose result depends on the time or on chance. */
    public static boolean areTimeless(Query query) {
        boolean[] areTimeless = {true};
        SyntaxWalk walk =
                new SyntaxWalk(
                        scalar -> {
                            if (scalar instanceof Scalar.Call(BuiltIn function, _)
                                    && !function.isTimeless()) {
                                areTimeless[0] = false;
                            }
                        });
        walk.visit(query);
        return areTimeless[0];
    }
}

package orrery.query.mongo.match;

import java.util.List;
import java.util.function.Predicate;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;

/** A condition on a document: a filter, or a part of one. */
public sealed interface Condition {
    boolean matches(Value document, Scope scope);

    /** Holds if all hold, so also if there are none. */
    record And(List<Condition> all) implements Condition {
        public And {
            all = List.copyOf(all);
        }

        @Override
        public boolean matches(Value document, Scope scope) {
            for (Condition each : all) {
                if (!each.matches(document, scope)) {
                    return false;
                }
            }
            return true;
        }
    }

    record Or(List<Condition> any) implements Condition {
        public Or {
            any = List.copyOf(any);
        }

        @Override
        public boolean matches(Value document, Scope scope) {
            int before = scope.arrayIndex();
            for (Condition each : any) {
                if (each.matches(document, scope)) {
                    return true;
                }
                scope.restore(before);
            }
            return false;
        }
    }

    record Not(Condition inner) implements Condition {
        @Override
        public boolean matches(Value document, Scope scope) {
            int before = scope.arrayIndex();
            boolean isMatch = inner.matches(document, scope);
            scope.restore(before);
            return !isMatch;
        }
    }

    record Constant(boolean value) implements Condition {
        @Override
        public boolean matches(Value document, Scope scope) {
            return value;
        }
    }

    /** Holds if a value at the path passes the test. */
    record OnPath(FieldPath path, ValueTest test) implements Condition {
        @Override
        public boolean matches(Value document, Scope scope) {
            FieldPath.Visitor visitor =
                    (value, index) -> {
                        scope.effort().add(1);
                        boolean isMatch = test.passes(value, scope);
                        if (isMatch) {
                            scope.matchedAt(index);
                        }
                        return isMatch;
                    };
            return test.isOfElements()
                    ? path.visitElements(document, visitor)
                    : path.visitValues(document, visitor);
        }
    }

    /** A schema of the whole document. It tells nothing about single paths. */
    record OfSchema(JsonSchema schema) implements Condition {
        @Override
        public boolean matches(Value document, Scope scope) {
            return schema.accepts(document, scope);
        }
    }

    /** An aggregation expression. It tells nothing about single paths. */
    record OfExpression(Predicate<Value> test) implements Condition {
        @Override
        public boolean matches(Value document, Scope scope) {
            scope.effort().add(100);
            return test.test(document);
        }
    }
}

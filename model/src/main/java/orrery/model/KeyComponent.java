package orrery.model;

/** One value of a partition key, as the client gave it or as it was found in an item. */
public sealed interface KeyComponent {
    /** The property is missing, or holds an object or an array; clients write it {@code {}}. */
    record Undefined() implements KeyComponent {}

    record Null() implements KeyComponent {}

    record Bool(boolean value) implements KeyComponent {}

    /** All numbers are doubles here. The SDKs hash 0 and -0.0 apart, so they stay apart. */
    record Numeric(double value) implements KeyComponent {
        public Numeric {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("a partition key number must be finite");
            }
        }
    }

    record Text(String value) implements KeyComponent {}

    KeyComponent UNDEFINED = new Undefined();
    KeyComponent NULL = new Null();
    KeyComponent TRUE = new Bool(true);
    KeyComponent FALSE = new Bool(false);
}

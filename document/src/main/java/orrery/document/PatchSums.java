package orrery.document;

/** Adds for a patch. */
interface PatchSums {
    /**
     * Integers stay integers while the sum fits 64 bits; otherwise numbers add as doubles. JSON
     * writes a double that is integral like an integer.
     */
    PatchSums JSON =
            (present, amount, name) -> {
                if (!present.isNumber()) {
                    throw notNumber(name);
                }
                if (present instanceof Value.Int(long left)
                        && amount instanceof Value.Int(long right)) {
                    long total = left + right;
                    boolean hasOverflowed = ((left ^ total) & (right ^ total)) < 0;
                    if (!hasOverflowed) {
                        return Value.of(total);
                    }
                }
                return Value.of(finite(toDouble(present) + toDouble(amount), name));
            };

    /**
     * @param name of the place, for the fault
     */
    Value add(Value present, Value amount, String name) throws PatchFault;

    static double toDouble(Value number) {
        return number instanceof Value.Int(long value) ? value : ((Value.Real) number).value();
    }

    static double finite(double total, String name) throws PatchFault {
        if (!Double.isFinite(total)) {
            throw new PatchFault("the sum at '" + name + "' is beyond the range of a double");
        }
        return total;
    }

    static PatchFault notNumber(String name) {
        return new PatchFault("'" + name + "' is not a number");
    }
}

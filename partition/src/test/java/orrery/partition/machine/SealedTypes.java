package orrery.partition.machine;

import java.util.HashSet;
import java.util.Set;

/** Finds the records of a sealed type. */
final class SealedTypes {
    private SealedTypes() {}

    static Set<Class<?>> of(Class<?> type) {
        Set<Class<?>> records = new HashSet<>();
        collect(type, records);
        return records;
    }

    private static void collect(Class<?> type, Set<Class<?>> records) {
        if (!type.isSealed()) {
            records.add(type);
            return;
        }
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            collect(permitted, records);
        }
    }
}

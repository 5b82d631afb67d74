package orrery.junit.sample;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes of the sample classes for whoever runs them. */
public final class Seen {
    public static final List<String> NOTES = new CopyOnWriteArrayList<>();

    private Seen() {}
}

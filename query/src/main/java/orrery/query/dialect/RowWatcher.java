package orrery.query.dialect;

/** Is told again and again what the rows of an item take; what it throws ends the query. */
public interface RowWatcher {
    /** Watches nothing. */
    RowWatcher NONE =
            new RowWatcher() {
                @Override
                public void pause() {}

                @Override
                public void holds(long bytes) {}
            };

    /** Much work was done since the last time. */
    void pause();

    /** The present row, with what was computed for it, takes about so much memory. */
    void holds(long bytes);
}

package orrery.query.execute;

/** Tells how many items are read together before they are needed. */
public final class ReadAhead {
    /** Few while it is not known how large items are: each may have 2 MB. */
    private static final int FIRST = 4;

    private static final int MOST = 32;

    /** If items that were read together had more bytes than this, the next are read one by one. */
    private static final int MAX_BYTES = 256 << 10;

    private final int most;
    private int items;

    /**
     * @param wanted how many items may be of use
     */
    public ReadAhead(long wanted) {
        this.most = (int) Math.min(MOST, wanted);
        this.items = Math.min(FIRST, most);
    }

    /** Returns true if several items may ever be read together. */
    boolean isSome() {
        return most > 1;
    }

    /** Returns the number of items to read next. */
    public int items() {
        return items;
    }

    /** Items of so many bytes have been read. */
    public void read(long bytes) {
        items = bytes > MAX_BYTES ? 1 : Math.min(most, items * 2);
    }
}

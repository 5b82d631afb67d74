package orrery.model;

/** Writes sizes the way people do: in the largest unit that divides them. */
public final class ByteSizes {
    private static final String[] UNITS = {"bytes", "KB", "MB", "GB"};

    private ByteSizes() {}

    public static String text(long bytes) {
        long size = bytes;
        int unit = 0;
        while (unit + 1 < UNITS.length && size >= 1024 && size % 1024 == 0) {
            size /= 1024;
            unit++;
        }
        return size + " " + UNITS[unit];
    }
}

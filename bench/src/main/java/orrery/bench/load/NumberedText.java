package orrery.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A text with places for the digits of a number: a new one costs a copy and a few stores. */
final class NumberedText {
    private final byte[] text;
    private final int[] places;

    NumberedText(byte[] text) {
        this.text = text;
        String search = new String(text, StandardCharsets.ISO_8859_1);
        List<Integer> found = new ArrayList<>();
        for (int at = search.indexOf(SampleItem.MARK);
                at >= 0;
                at = search.indexOf(SampleItem.MARK, at + SampleItem.DIGITS)) {
            found.add(at);
        }
        this.places = found.stream().mapToInt(Integer::intValue).toArray();
    }

    byte[] with(long number) {
        byte[] copy = text.clone();
        for (int place : places) {
            putDigits(copy, place, number);
        }
        return copy;
    }

    static void putDigits(byte[] target, int place, long number) {
        long rest = number;
        for (int i = place + SampleItem.DIGITS - 1; i >= place; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}

package orrery.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A text with places for the digits of a number: a new one costs a copy and a few stores. */
final class NumberedText {
    private final byte[] text;
    private final List<Place> places;

    /**
     * Digits of a number.
     *
     * @param at the place in the text
     * @param digits the length; digits in front of the last ones do not show
     * @param divisor what the number is divided by, without its remainder
     * @param plus what is added to the quotient
     */
    record Place(int at, int digits, long divisor, int plus) {
        void put(byte[] target, long number) {
            putDigits(target, at, digits, number / divisor + plus);
        }
    }

    NumberedText(byte[] text) {
        this(text, marks(text));
    }

    NumberedText(byte[] text, List<Place> places) {
        this.text = text;
        this.places = List.copyOf(places);
    }

    private static List<Place> marks(byte[] text) {
        String search = new String(text, StandardCharsets.ISO_8859_1);
        List<Place> found = new ArrayList<>();
        for (int at = search.indexOf(SampleItem.MARK);
                at >= 0;
                at = search.indexOf(SampleItem.MARK, at + SampleItem.DIGITS)) {
            found.add(new Place(at, SampleItem.DIGITS, 1, 0));
        }
        return found;
    }

    byte[] with(long number) {
        byte[] copy = text.clone();
        for (int i = 0; i < places.size(); i++) {
            places.get(i).put(copy, number);
        }
        return copy;
    }

    static void putDigits(byte[] target, int place, long number) {
        putDigits(target, place, SampleItem.DIGITS, number);
    }

    private static void putDigits(byte[] target, int place, int digits, long number) {
        long rest = number;
        for (int i = place + digits - 1; i >= place; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}

package orrery.query.regex;

import java.util.function.LongConsumer;
import orrery.model.OrreryException;

/**
 * A text that counts how often a pattern looks at a character of it. That is the only place where
 * the engines of regular expressions can be stopped.
 */
final class PaidText implements CharSequence {
    /** The caller pays for this many characters at once. */
    private static final int BATCH = 1 << 14;

    private final String text;
    private final LongConsumer pay;
    private final RegexOwner owner;
    private final long stepsPerCharacter;
    private final long maxUnpaid;
    private final boolean isPaidOnTheWay;
    private long unpaid;

    private PaidText(
            String text,
            LongConsumer pay,
            RegexOwner owner,
            long stepsPerCharacter,
            long maxUnpaid,
            boolean isPaidOnTheWay) {
        this.text = text;
        this.pay = pay;
        this.owner = owner;
        this.stepsPerCharacter = stepsPerCharacter;
        this.maxUnpaid = maxUnpaid;
        this.isPaidOnTheWay = isPaidOnTheWay;
    }

    /** Makes a text that lets others have a turn while an engine reads it. */
    static PaidText paidOnTheWay(
            String text, LongConsumer pay, RegexOwner owner, long stepsPerCharacter) {
        return new PaidText(text, pay, owner, stepsPerCharacter, BATCH, true);
    }

    /**
     * Makes a text for an engine that may overflow the stack. It calls nobody while the engine
     * reads it: an overflow within a lock of somebody else would leave that lock unusable.
     *
     * @param maxCharacters are looked at for one match, before the query fails
     */
    static PaidText paidAtTheEnd(
            String text,
            LongConsumer pay,
            RegexOwner owner,
            long stepsPerCharacter,
            long maxCharacters) {
        return new PaidText(text, pay, owner, stepsPerCharacter, maxCharacters, false);
    }

    static OrreryException tooMuch(RegexOwner owner) {
        return owner.refuses(
                "A regular expression takes too much work for one of the texts. Make the pattern"
                        + " simpler, without groups that repeat what repeats.");
    }

    @Override
    public char charAt(int index) {
        if (++unpaid > maxUnpaid) {
            if (!isPaidOnTheWay) {
                throw tooMuch(owner);
            }
            payRest();
        }
        return text.charAt(index);
    }

    /** Pays for what was looked at since the last time. */
    void payRest() {
        long characters = unpaid;
        unpaid = 0;
        pay.accept(characters * stepsPerCharacter);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}

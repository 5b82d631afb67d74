package orrery.query.evaluate;

import orrery.model.OrreryException;
import orrery.query.syntax.QueryError;

/**
 * A text that counts how often a pattern looks at a character of it. That is the only place where
 * the engines of regular expressions can be stopped, and where others can have a turn meanwhile.
 */
final class PaidText implements CharSequence {
    /** So many characters are paid for at once. */
    private static final int BATCH = 1 << 14;

    private final String text;
    private final Bindings row;
    private final long stepsPerCharacter;
    private long charactersLeft;
    private int unpaid;

    /**
     * @param row pays
     * @param maxCharacters are looked at, before the query fails
     */
    PaidText(String text, Bindings row, long stepsPerCharacter, long maxCharacters) {
        this.text = text;
        this.row = row;
        this.stepsPerCharacter = stepsPerCharacter;
        this.charactersLeft = maxCharacters;
    }

    static OrreryException tooMuch() {
        return QueryError.engine(
                "A regular expression takes too much work for one of the texts. Make the pattern"
                        + " simpler, without groups that repeat what repeats.");
    }

    @Override
    public char charAt(int index) {
        if (++unpaid == BATCH) {
            payRest();
        }
        return text.charAt(index);
    }

    /** Pays for what was looked at since the last time. */
    void payRest() {
        charactersLeft -= unpaid;
        row.countWork(unpaid * stepsPerCharacter);
        unpaid = 0;
        if (charactersLeft < 0) {
            throw tooMuch();
        }
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

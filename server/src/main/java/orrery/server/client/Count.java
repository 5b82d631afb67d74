package orrery.server.client;

/**
 * So many of something, in words.
 *
 * @param one the word for one of them; more have an s
 */
public record Count(long number, String one) {
    @Override
    public String toString() {
        return number + " " + one + (number == 1 ? "" : "s");
    }
}

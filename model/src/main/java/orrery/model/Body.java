package orrery.model;

/** The content of an item with the encoding that it is in. */
public record Body(Encoding encoding, Bytes bytes) {
    public static Body json(Bytes text) {
        return new Body(Encoding.JSON, text);
    }
}

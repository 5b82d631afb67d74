package orrery.model;

/** The form in which an item's body arrived and is kept. */
public enum Encoding {
    JSON,
    BSON
}

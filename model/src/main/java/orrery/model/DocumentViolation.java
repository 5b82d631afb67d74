package orrery.model;

/**
 * A document that does not meet the {@link ItemValidator} of its container.
 *
 * @param details BSON of a document that says which, and why not
 */
public record DocumentViolation(Bytes details) implements Violation {}

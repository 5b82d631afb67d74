package orrery.gateway.api;

import java.util.Optional;
import orrery.model.Bytes;

/**
 * The result of a write with triggers.
 *
 * @param body JSON that a trigger put in place of the item for the answer
 * @param log what the triggers wrote to their console, if that was asked for
 */
public record TriggeredAnswer(ItemAnswer answer, Optional<Bytes> body, String log) {}

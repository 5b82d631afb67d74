package orrery.script;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.ScriptSource;

/**
 * A stored procedure or a trigger with what it is called on.
 *
 * @param arguments of the function; none for a trigger
 * @param operationType of the request, as the script may ask for it
 * @param requestBody the item that is being written
 * @param responseBody the item as it was written
 * @param selfLink of the container, by rid
 * @param altLink of the container, by name
 */
public record ScriptCall(
        ScriptSource source,
        Value.Array arguments,
        String operationType,
        Optional<Value> requestBody,
        Optional<Value> responseBody,
        String selfLink,
        String altLink) {}

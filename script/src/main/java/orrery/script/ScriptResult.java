package orrery.script;

import java.util.Optional;

/**
 * The result of a script that ended well.
 *
 * @param requestBody JSON of the request's body, which a trigger may have changed
 * @param responseBody JSON of the response's body
 * @param log what it wrote to the console
 */
public record ScriptResult(
        Optional<String> requestBody, Optional<String> responseBody, String log) {}

package orrery.script;

import java.util.Optional;

/**
 * The result of a script that ended well.
 *
 * @param requestBody JSON of the request's body, which a trigger may have changed
 * @param responseBody JSON of the response's body
 * @param log the lines it wrote to the console; empty if it wrote none, which one empty line is not
 */
public record ScriptResult(
        Optional<String> requestBody, Optional<String> responseBody, Optional<String> log) {}

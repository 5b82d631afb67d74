/**
 * JavaScript in a sandbox: stored procedures and triggers, and functions that queries call.
 *
 * <p>Start with {@link orrery.script.ScriptEngine}. What a script may reach is what {@link
 * orrery.script.ScriptHost} offers, through {@code api.js}, and nothing else: no class, file,
 * socket, thread or other language. Time, statements, memory, results and logs are bounded.
 */
@NullMarked
package orrery.script;

import org.jspecify.annotations.NullMarked;

package orrery.script;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Failures of scripts as their authors are told of them: in the service's words, with lines. */
final class ScriptErrors {
    private static final Logger LOG = System.getLogger(ScriptErrors.class.getName());

    /** Longer messages and stacks are cut: they travel in an answer, and may be of any length. */
    private static final int MAX_CHARS = 4096;

    private static final int MAX_FRAMES = 20;

    /** The beginning of the engine's words for a syntax error: its class, then the place. */
    private static final Pattern PLACE = Pattern.compile("^(\\w+: ).*?\\.js:\\d+:\\d+ ");

    private static final Source STRINGIFY =
            Source.newBuilder(
                            "js",
                            "(value) => value instanceof Error ? undefined : JSON.stringify(value)",
                            "stringify.js")
                    .internal(true)
                    .buildLiteral();

    private ScriptErrors() {}

    static OrreryException of(PolyglotException failure, Watchdog.Guard guard) {
        if (guard.reason().isPresent()) {
            return stopped(guard.reason().get());
        }
        if (failure.isResourceExhausted()) {
            return new OrreryException(
                    ErrorCode.FORBIDDEN,
                    "The script executed more statements than a script may. Split its work and"
                            + " return a continuation.");
        }
        if (failure.isCancelled() || failure.isInterrupted()) {
            return stopped(Watchdog.Reason.TIME);
        }
        if (failure.isHostException()) {
            // The run ends with the exception of the host itself, which need not be a fault.
            return engineFailed(failure);
        }
        if (failure.isInternalError()) {
            LOG.log(Logger.Level.ERROR, "the script engine failed", failure);
            return engineFailed(failure);
        }
        String what = what(failure);
        // Describing the value may have run code of the script and used up its time.
        return guard.reason().map(ScriptErrors::stopped).orElseGet(() -> thrown(failure, what));
    }

    private static OrreryException engineFailed(PolyglotException failure) {
        return new OrreryException(
                ErrorCode.INTERNAL,
                "The script engine failed. The log of the server has the reason.",
                failure);
    }

    /**
     * Describes the thrown value. It need not be an Error; the engine uses that name for any
     * object.
     */
    private static String what(PolyglotException failure) {
        Value thrown = failure.getGuestObject();
        if (thrown != null && thrown.hasMembers()) {
            try {
                Value json = thrown.getContext().eval(STRINGIFY).execute(thrown);
                if (json.isString()) {
                    return json.asString();
                }
            } catch (PolyglotException | IllegalStateException notShown) {
                // It holds itself, or its own toJSON fails: the name has to do.
            }
        }
        return String.valueOf(failure.getMessage());
    }

    static OrreryException stopped(Watchdog.Reason reason) {
        return switch (reason) {
            case TIME ->
                    new OrreryException(
                            ErrorCode.TIMEOUT,
                            "The requested operation exceeded maximum alloted time. Learn more:"
                                    + " https://aka.ms/cosmosdb-tsg-service-request-timeout");
            case ABANDONED ->
                    new OrreryException(
                            ErrorCode.TIMEOUT,
                            "The script was stopped because nobody waits for its result any more.");
            case MEMORY ->
                    new OrreryException(
                            ErrorCode.FORBIDDEN,
                            "The script was stopped because it used more memory than a script may."
                                    + " Split its work and return a continuation.");
        };
    }

    static OrreryException notCompiled(PolyglotException failure) {
        return new OrreryException(
                ErrorCode.SCRIPT_NOT_COMPILED,
                cut(
                        "Encountered exception while compiling Javascript. Exception = "
                                + syntaxError(failure, failure.getSourceLocation())));
    }

    private static String syntaxError(PolyglotException failure, @Nullable SourceSection place) {
        // The engine names the place in the wrapped text, and quotes it behind the first line.
        String what =
                PLACE.matcher(String.valueOf(failure.getMessage()).lines().findFirst().orElse(""))
                        .replaceFirst("$1");
        if (place == null) {
            return what;
        }
        return isBehindTheScript(place)
                ? "SyntaxError: The script ends too early."
                : what + " at " + where(place);
    }

    /** A script that is compiled as an expression has the closing parenthesis behind it. */
    private static boolean isBehindTheScript(SourceSection place) {
        Source source = place.getSource();
        return source.getCharacters().charAt(0) == '('
                && place.getStartLine() == source.getLineCount();
    }

    private static String where(SourceSection place) {
        return place.getSource().getName() + ":" + place.getStartLine() + ":" + column(place);
    }

    private static OrreryException thrown(PolyglotException failure, String thrown) {
        String what = cut(thrown);
        List<String> frames = new ArrayList<>();
        for (PolyglotException.StackFrame frame : failure.getPolyglotStackTrace()) {
            SourceSection place = frame.getSourceLocation();
            boolean isScript =
                    frame.isGuestFrame() && place != null && !place.getSource().isInternal();
            if (isScript && frames.size() < MAX_FRAMES) {
                frames.add("   at " + name(frame) + " (" + where(place) + ")");
            }
        }
        return new OrreryException(
                ErrorCode.SCRIPT_FAILED,
                "Encountered exception while executing Javascript. Exception = "
                        + what
                        + "\r\nStack trace: "
                        + what
                        + (frames.isEmpty() ? "" : "\n" + String.join("\n", frames)));
    }

    private static String name(PolyglotException.StackFrame frame) {
        String name = frame.getRootName();
        return switch (name) {
            case ":=>", ":anonymous" -> "Anonymous function";
            case ":program" -> "Global code";
            default -> name;
        };
    }

    /** The parenthesis in which a function is compiled stands before the first line. */
    private static int column(SourceSection place) {
        return place.getStartLine() == 1
                ? Math.max(1, place.getStartColumn() - 1)
                : place.getStartColumn();
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "…";
    }
}

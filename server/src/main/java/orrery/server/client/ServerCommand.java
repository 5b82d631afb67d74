package orrery.server.client;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import orrery.document.JsonText;
import orrery.document.Value;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that asks a server and prints what it hears. */
public abstract class ServerCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ServerOptions server = new ServerOptions();
    @Mixin private OutputOptions output = new OutputOptions();

    protected final SqlClient open() {
        return server.open();
    }

    protected final boolean isJson() {
        return output.isJson();
    }

    /** For results alone. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** For everything that is not the result. */
    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints one or the other, as the person wants it. */
    protected final void print(Value json, String line) {
        out().println(isJson() ? JsonText.write(json) : line);
        out().flush();
    }

    /** Returns true if nobody reads the results any more, as behind {@code | head}. */
    protected final boolean isClosed() {
        return out().checkError();
    }

    /** Returns true if a person watches, so that a line may change in place. */
    protected static boolean isTerminal() {
        return Terminal.ofProcess().isPresent();
    }

    protected final void warn(String text) {
        err().println("orrery: " + text);
        err().flush();
    }

    protected final ParameterException usage(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}

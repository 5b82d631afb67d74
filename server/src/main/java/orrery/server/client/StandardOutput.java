package orrery.server.client;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Standard output for results. Unlike {@link System#out} it can tell that nobody reads on. A
 * terminal gets its own character set, a file or another program UTF-8 as all JSON.
 */
public final class StandardOutput {
    private StandardOutput() {}

    public static PrintWriter open() {
        Charset charset =
                Terminal.ofProcess().isPresent() ? System.out.charset() : StandardCharsets.UTF_8;
        return new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), charset), true);
    }
}

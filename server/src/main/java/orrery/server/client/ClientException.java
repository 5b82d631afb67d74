package orrery.server.client;

import org.jspecify.annotations.Nullable;

/** Why a command could not do what it was told, in a sentence for the person who told it. */
public class ClientException extends RuntimeException {
    public ClientException(String message) {
        this(message, null);
    }

    public ClientException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

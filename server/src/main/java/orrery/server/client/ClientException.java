package orrery.server.client;

import org.jspecify.annotations.Nullable;

/** Why a command could not do what it was told, in a sentence for the person who told it. */
public final class ClientException extends RuntimeException {
    ClientException(String message) {
        this(message, null);
    }

    ClientException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

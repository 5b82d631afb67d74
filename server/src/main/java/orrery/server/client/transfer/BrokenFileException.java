package orrery.server.client.transfer;

import orrery.server.client.ClientException;

/** A file that cannot be read on from some place. The rows before that place are whole. */
final class BrokenFileException extends ClientException {
    private static final long serialVersionUID = 1;

    BrokenFileException(String message) {
        super(message);
    }
}

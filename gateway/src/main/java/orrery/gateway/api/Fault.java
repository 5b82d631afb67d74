package orrery.gateway.api;

import java.util.Optional;
import orrery.model.ErrorCode;

/**
 * A failure on demand: requests for items of one container answer {@code code} instead of being
 * carried out.
 */
public record Fault(ErrorCode code, Extent extent) {
    /** The requests that fail. */
    public sealed interface Extent {
        /** The next so many. */
        record Next(int count) implements Extent {
            public Next {
                if (count < 1) {
                    throw new IllegalArgumentException("a fault needs at least one request");
                }
            }
        }

        /** Each with this probability, above 0 and up to 1. */
        record Share(double rate) implements Extent {
            public Share {
                if (!(rate > 0 && rate <= 1)) {
                    throw new IllegalArgumentException("the rate of a fault is in (0, 1]");
                }
            }
        }
    }

    public Fault {
        if (ofStatus(code.status()).filter(code::equals).isEmpty()) {
            throw new IllegalArgumentException(code + " is not a fault on demand");
        }
    }

    /** Returns the error of a status that clients are expected to handle. */
    public static Optional<ErrorCode> ofStatus(int status) {
        return switch (status) {
            case 408 -> Optional.of(ErrorCode.TIMEOUT);
            case 410 -> Optional.of(ErrorCode.RANGE_GONE);
            case 429 -> Optional.of(ErrorCode.TOO_MANY_REQUESTS);
            case 449 -> Optional.of(ErrorCode.RETRY_WITH);
            case 503 -> Optional.of(ErrorCode.UNAVAILABLE);
            default -> Optional.empty();
        };
    }
}

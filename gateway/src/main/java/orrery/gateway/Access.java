package orrery.gateway;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;

/** Checks what a principal may do. */
final class Access {
    private Access() {}

    static void requireWrite(RequestContext context) {
        switch (context.principal()) {
            case RequestContext.Principal.Account(boolean readOnly) -> {
                if (readOnly) {
                    throw new OrreryException(
                            ErrorCode.FORBIDDEN,
                            "The key of this request is read-only. Use a read-write key to change"
                                    + " data.");
                }
            }
        }
    }
}

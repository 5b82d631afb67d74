package orrery.model;

import java.util.function.Supplier;
import orrery.model.memory.MemoryAccount;

/**
 * All that follows a request from thread to thread. Code that hands work to another thread takes
 * the scope along and does the work {@link #during} it there.
 */
public record RequestScope(MemoryAccount account, Cancellation cancellation) {
    /** The scope of the request that the calling thread works for. */
    public static RequestScope current() {
        return new RequestScope(MemoryAccount.current(), Cancellation.current());
    }

    public <T> T during(Supplier<T> work) {
        return account.during(() -> cancellation.during(work));
    }
}

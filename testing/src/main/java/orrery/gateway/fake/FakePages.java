package orrery.gateway.fake;

import java.util.List;
import java.util.Optional;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Pages of what the fake has in memory; a continuation is the number of what comes next. */
final class FakePages {
    private FakePages() {}

    static <T> Page<T> page(List<T> all, PageRequest wanted) {
        int from;
        try {
            from = wanted.continuation().map(Integer::parseInt).orElse(0);
        } catch (NumberFormatException notOurs) {
            throw new OrreryException(ErrorCode.BAD_REQUEST, "Invalid Continuation Token", notOurs);
        }
        int to = Math.min(all.size(), from + wanted.maxItems().orElse(all.size()));
        return new Page<>(
                all.subList(Math.min(from, to), to),
                to < all.size() ? Optional.of(Integer.toString(to)) : Optional.empty());
    }
}

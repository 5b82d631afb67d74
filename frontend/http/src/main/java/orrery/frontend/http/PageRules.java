package orrery.frontend.http;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Rules for pages of foreign origins that the owner of an API's data sets, besides those that the
 * server is started with. {@link BrowserGate} asks them about origins that it does not allow by
 * itself, on an event loop: they must not block.
 */
public interface PageRules {
    /** No rules: only the gate's own list counts. */
    PageRules NONE =
            new PageRules() {
                @Override
                public Optional<HttpReply> preflight(HttpRequest head, String origin) {
                    return Optional.empty();
                }

                @Override
                public Optional<UnaryOperator<HttpReply>> reading(HttpRequest head, String origin) {
                    return Optional.empty();
                }
            };

    /**
     * Answers what a browser asks before it sends a request, with a permission or a refusal; empty
     * where the API leaves the words of the refusal to the gate.
     */
    Optional<HttpReply> preflight(HttpRequest head, String origin);

    /** The change that lets the page read the reply; empty if no rule is for this page. */
    Optional<UnaryOperator<HttpReply>> reading(HttpRequest head, String origin);
}

package orrery.frontend.table;

import orrery.frontend.http.HttpRequest;
import orrery.model.RequestContext.Principal;

/** Finds out who sent a request. Safe for many threads. */
@FunctionalInterface
public interface TableAuthenticator {
    /**
     * Judges by the head alone and never blocks.
     *
     * @param options the query of the request
     * @throws TableException if the request shows no credential, or none that is good
     */
    Principal authenticate(HttpRequest request, TablePath path, QueryOptions options);
}

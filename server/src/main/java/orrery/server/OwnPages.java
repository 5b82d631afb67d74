package orrery.server;

import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.operator.OperatorEndpoint;

/** What the port of the SQL API serves beside it, under {@code /_}. */
record OwnPages(HttpHandler publicPages, OperatorEndpoint operator) implements HttpHandler {
    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        return head.path().startsWith(OperatorEndpoint.PREFIX)
                ? operator.admit(head)
                : new Admission.Admitted(false, publicPages);
    }
}

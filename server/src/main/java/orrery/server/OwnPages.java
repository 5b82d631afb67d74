package orrery.server;

import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.operator.OperatorEndpoint;

/** The pages under {@code /_} on the port of the SQL API. */
record OwnPages(HttpHandler publicPages, OperatorEndpoint operator, AccountEndpoint account)
        implements HttpHandler {
    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        if (AccountEndpoint.isAsked(head)) {
            return account.admit(head);
        }
        return head.path().startsWith(OperatorEndpoint.PREFIX)
                ? operator.admit(head)
                : new Admission.Admitted(false, publicPages);
    }
}

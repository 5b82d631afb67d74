package orrery.server;

import orrery.frontend.http.Admission;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;

/** The pages that anybody may fetch without a key: the certificate to trust. */
final class PublicPages implements HttpHandler {
    /** Also the path under which the Cosmos emulator offers its certificate. */
    private static final String EMULATOR_PATH = "/_explorer/emulator.pem";

    private static final String PATH = "/_orrery/ca.crt";

    private final Bytes certificate;
    private final ErrorRenderer errors;

    PublicPages(String certificatePem, ErrorRenderer errors) {
        this.certificate = Bytes.ofUtf8(certificatePem);
        this.errors = errors;
    }

    @Override
    public Admission admit(HttpRequest head) {
        return new Admission.Admitted(false, this);
    }

    @Override
    public HttpReply handle(HttpRequest request) {
        boolean isCertificate = request.path().equals(PATH) || request.path().equals(EMULATOR_PATH);
        if (!isCertificate) {
            return errors.render(404, "There is no such page.");
        }
        if (!request.method().equals("GET")) {
            return errors.render(405, "The certificate can only be read.");
        }
        return HttpReply.status(200)
                .header("Content-Type", "application/x-pem-file")
                .body(certificate)
                .build();
    }
}

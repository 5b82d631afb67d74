package orrery.server;

import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** The page that anybody may fetch without a key: the certificate to trust. */
final class PublicPages implements HttpHandler {
    /** Also the path under which the Cosmos emulator offers its certificate. */
    private static final String EMULATOR_PATH = "/_explorer/emulator.pem";

    private static final String PATH = "/_orrery/ca.crt";

    private final Bytes certificate;

    PublicPages(String certificatePem) {
        this.certificate = Bytes.ofUtf8(certificatePem);
    }

    @Override
    public HttpReply handle(HttpRequest request) {
        boolean isCertificate = request.path().equals(PATH) || request.path().equals(EMULATOR_PATH);
        if (!isCertificate) {
            throw new OrreryException(ErrorCode.NOT_FOUND, "There is no such page.");
        }
        if (!request.method().equals("GET")) {
            throw new OrreryException(
                    ErrorCode.METHOD_NOT_ALLOWED, "The certificate can only be read.");
        }
        return HttpReply.status(200)
                .header("Content-Type", "application/x-pem-file")
                .body(certificate)
                .build();
    }
}

package orrery.server.tls;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts no client's certificate: clients show account keys, and are never asked for one. Without
 * it Netty reads all the authorities of the JDK at each start, for nothing.
 */
enum NoClients implements X509TrustManager {
    TRUST;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("The server takes no certificates of clients.");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("The server connects to no other server.");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}

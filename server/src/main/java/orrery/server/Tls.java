package orrery.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import orrery.frontend.http.Natives;
import orrery.frontend.http.Transport;
import orrery.server.tls.CertificateAuthority;
import orrery.server.tls.ServerCertificate;
import orrery.server.tls.TlsMaterial;

/**
 * The base of the listeners: the event loops and the certificates.
 *
 * @param certificateToTrust the file that clients need
 */
record Tls(
        Transport transport,
        CertificateAuthority authority,
        ServerCertificate leaf,
        Path certificateToTrust)
        implements Alongside.Part {
    static Tls open(NodeConfig config, Path directory, Clock clock) {
        Natives natives = Natives.detect();
        CertificateAuthority authority = CertificateAuthority.loadOrCreate(directory);
        ServerCertificate leaf =
                config.ownCertificate()
                        .map(
                                files ->
                                        ServerCertificate.of(
                                                TlsMaterial.load(
                                                        files.certificate(), files.key(), clock),
                                                natives))
                        .orElseGet(
                                () ->
                                        ServerCertificate.issue(
                                                authority, names(config), natives, clock));
        return new Tls(
                Transport.open(natives),
                authority,
                leaf,
                config.ownCertificate()
                        .map(NodeConfig.CertificateFiles::certificate)
                        .orElse(authority.path()));
    }

    /** The certificate that clients import: our CA, or the team's own certificate. */
    String pemToTrust() {
        try {
            return Files.readString(certificateToTrust);
        } catch (IOException e) {
            throw new StartupException(
                    "The certificate " + certificateToTrust + " cannot be read.", e);
        }
    }

    private static List<String> names(NodeConfig config) {
        List<String> names = new ArrayList<>(List.of(config.host()));
        if (config.host().equals("0.0.0.0") || config.host().equals("::")) {
            names.addAll(addressesOfThisMachine());
        }
        config.advertise().map(URI::getHost).ifPresent(names::add);
        return names;
    }

    /** Listening everywhere, the server is reached by any of them. */
    private static List<String> addressesOfThisMachine() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .filter(address -> !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    // An IPv6 address carries its interface behind a percent sign.
                    .map(address -> address.replaceFirst("%.*", ""))
                    .toList();
        } catch (SocketException e) {
            throw new StartupException("The addresses of this machine cannot be listed.", e);
        }
    }

    @Override
    public void close() {
        leaf.close();
        transport.close();
    }
}

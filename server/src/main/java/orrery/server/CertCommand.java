package orrery.server;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.server.client.Hint;
import orrery.server.client.OutputOptions;
import orrery.server.tls.CertificateAuthority;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the CA certificate and how to trust it. */
@Command(
        name = "cert",
        header = "Prints the certificate to trust and how to import it.",
        description = {
            "Prints the certificate to trust, and the lines that import it into Java, Node and the",
            "operating systems. The first start makes it, once per data directory.",
            "Example: orrery cert --data orrery-data"
        })
final class CertCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = Hint.DEFAULT_DATA,
            description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Mixin private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        DataDirectory.expect(data);
        CertificateAuthority authority =
                CertificateAuthority.loadOrCreate(data.toAbsolutePath().normalize().resolve("tls"));
        Path file = authority.path();
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            Map<String, Value> json = new LinkedHashMap<>();
            json.put("file", Value.of(file.toString()));
            json.put("certificate", Value.of(authority.pem()));
            out.println(JsonText.write(new Value.Obj(json)));
            out.flush();
            return 0;
        }
        out.print(authority.pem());
        String shown = Hint.quoted(file);
        out.println("# The file: " + file);
        out.println("# A running server also hands it out: curl " + served());
        out.printf(
                """
                #
                # Java, for one program:
                #   keytool -importcert -noprompt -alias orrery -file %1$s -keystore orrery.p12 -storepass changeit
                #   java -Djavax.net.ssl.trustStore=orrery.p12 -Djavax.net.ssl.trustStorePassword=changeit ...
                # Java, for all programs of a JDK:
                #   keytool -importcert -noprompt -alias orrery -file %1$s -cacerts -storepass changeit
                # Node:
                #   NODE_EXTRA_CA_CERTS=%1$s node ...
                # Debian, Ubuntu:
                #   sudo cp %1$s /usr/local/share/ca-certificates/orrery.crt && sudo update-ca-certificates
                # Fedora, RHEL:
                #   sudo cp %1$s /etc/pki/ca-trust/source/anchors/orrery.crt && sudo update-ca-trust
                # macOS:
                #   sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain %1$s
                # Windows, as administrator:
                #   certutil -addstore -f ROOT %1$s
                """,
                shown);
        out.flush();
        return 0;
    }

    /** Returns where the server of this directory hands it out, or would without other options. */
    private URI served() {
        URI server =
                Optional.of(data)
                        .filter(DataDirectory::isInUse)
                        .flatMap(RunFile::read)
                        .flatMap(RunFile::local)
                        .orElse(URI.create("http://localhost:8081/"));
        return server.resolve("/_orrery/ca.crt");
    }
}

package orrery.server;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import orrery.document.JsonText;
import orrery.document.Value;
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
            defaultValue = "orrery-data",
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
        out.println("# The file: " + file);
        out.println(
                "# A running server also hands it out: curl http://localhost:8081/_orrery/ca.crt");
        out.println("#");
        out.println("# Java, for one program:");
        out.println(
                "#   keytool -importcert -noprompt -alias orrery -file "
                        + file
                        + " -keystore orrery.p12 -storepass changeit");
        out.println(
                "#   java -Djavax.net.ssl.trustStore=orrery.p12"
                        + " -Djavax.net.ssl.trustStorePassword=changeit ...");
        out.println("# Java, for all programs of a JDK:");
        out.println(
                "#   keytool -importcert -noprompt -alias orrery -file "
                        + file
                        + " -cacerts"
                        + " -storepass changeit");
        out.println("# Node:");
        out.println("#   NODE_EXTRA_CA_CERTS=" + file + " node ...");
        out.println("# Debian, Ubuntu:");
        out.println(
                "#   sudo cp "
                        + file
                        + " /usr/local/share/ca-certificates/orrery.crt && sudo"
                        + " update-ca-certificates");
        out.println("# Fedora, RHEL:");
        out.println(
                "#   sudo cp "
                        + file
                        + " /etc/pki/ca-trust/source/anchors/orrery.crt && sudo"
                        + " update-ca-trust");
        out.println("# macOS:");
        out.println(
                "#   sudo security add-trusted-cert -d -r trustRoot -k"
                        + " /Library/Keychains/System.keychain "
                        + file);
        out.println("# Windows, as administrator:");
        out.println("#   certutil -addstore -f ROOT " + file);
        out.flush();
        return 0;
    }
}

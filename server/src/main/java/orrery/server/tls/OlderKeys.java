package orrery.server.tls;

import java.io.IOException;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** Wraps the key forms of older tools into PKCS#8, the one that the JDK reads. */
final class OlderKeys {
    private OlderKeys() {}

    static byte[] fromPkcs1(byte[] rsa) throws IOException {
        return new PrivateKeyInfo(
                        new AlgorithmIdentifier(
                                PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                        ASN1Primitive.fromByteArray(rsa))
                .getEncoded();
    }

    /**
     * The JDK wants the curve outside of the key and not inside as well.
     *
     * @param parameters the curve if the key does not name it itself, else empty
     */
    static byte[] fromSec1(byte[] ec, byte[] parameters) throws IOException {
        ASN1Encodable curve = ECPrivateKey.getInstance(ec).getParametersObject();
        if (curve == null && parameters.length > 0) {
            curve = ASN1Primitive.fromByteArray(parameters);
        }
        var parts = ASN1Sequence.getInstance(ec);
        return new PrivateKeyInfo(
                        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve),
                        new DERSequence(
                                new ASN1Encodable[] {parts.getObjectAt(0), parts.getObjectAt(1)}))
                .getEncoded();
    }
}

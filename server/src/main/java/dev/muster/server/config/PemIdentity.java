package dev.muster.server.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Who the service is to TLS clients: a certificate chain and a private key from files in PEM (RFC 7468). */
public final class PemIdentity {
    private static final Pattern SECTION =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final List<String> KINDS = List.of("RSA", "EC", "EdDSA");
    private static final byte[] SIGNED = "muster".getBytes(StandardCharsets.US_ASCII);

    private PemIdentity() {}

    /** A file is not what it should be; the message says what to do. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /** What a listener presents. TLS 1.2 and 1.3. */
    public static SSLContext context(ServerConfig.Tls tls) throws UnusableException {
        try {
            char[] none = new char[0];
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, none);
            keys.setKeyEntry(
                    "muster",
                    privateKey(tls.key()),
                    none,
                    certificates(tls.certificate()).toArray(X509Certificate[]::new));
            KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
            managers.init(keys, none);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new UnusableException(
                    tls.certificate() + " and " + tls.key() + " cannot be used together: " + impossible.getMessage());
        }
    }

    /** Sees that the key belongs to the certificate. */
    static void check(ServerConfig.Tls tls) throws UnusableException {
        PrivateKey key = privateKey(tls.key());
        X509Certificate certificate = certificates(tls.certificate()).getFirst();
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(SIGNED);
            if (signature.verify(signed)) {
                return;
            }
        } catch (InvalidKeyException otherKind) {
            // told below: it is of another kind than the certificate's
        } catch (GeneralSecurityException unknown) {
            throw new UnusableException(tls.key() + " cannot be used: " + unknown.getMessage());
        }
        throw new UnusableException(
                tls.key() + " is not the key of the first certificate in " + tls.certificate() + ": name the pair");
    }

    /** The service's certificate first. */
    static List<X509Certificate> certificates(Path file) throws UnusableException {
        List<X509Certificate> chain = new ArrayList<>();
        Matcher sections = SECTION.matcher(text(file));
        while (sections.find()) {
            if (sections.group(1).equals("CERTIFICATE")) {
                try {
                    chain.add((X509Certificate) CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(bytes(sections))));
                } catch (GeneralSecurityException | IllegalArgumentException broken) {
                    throw new UnusableException(file + " holds a certificate that cannot be read");
                }
            }
        }
        if (chain.isEmpty()) {
            throw new UnusableException(file + " holds no certificate in PEM (-----BEGIN CERTIFICATE-----)");
        }
        return chain;
    }

    static PrivateKey privateKey(Path file) throws UnusableException {
        Matcher sections = SECTION.matcher(text(file));
        while (sections.find()) {
            if (sections.group(1).equals("PRIVATE KEY")) {
                return privateKey(file, bytes(sections));
            }
            if (sections.group(1).endsWith("PRIVATE KEY")) {
                throw new UnusableException(file + " holds a key in the form " + sections.group(1)
                        + "; write it as PKCS #8 without a password: openssl pkcs8 -topk8 -nocrypt -in " + file);
            }
        }
        throw new UnusableException(file + " holds no private key in PEM (-----BEGIN PRIVATE KEY-----)");
    }

    private static PrivateKey privateKey(Path file, byte[] encoded) throws UnusableException {
        for (String kind : KINDS) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException otherKind) {
                // the next one may be it
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException("every JDK knows " + kind, impossible);
            }
        }
        throw new UnusableException(file + " holds a private key that is none of " + String.join(", ", KINDS));
    }

    private static byte[] bytes(Matcher section) {
        return Base64.getMimeDecoder().decode(section.group(2));
    }

    private static String text(Path file) throws UnusableException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw new UnusableException(file + " cannot be read as a text: " + unreadable.getMessage());
        }
    }
}

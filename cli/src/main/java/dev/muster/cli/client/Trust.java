package dev.muster.cli.client;

import dev.muster.cli.base.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Whose certificates are believed: those that Java knows, or those of the file that {@code SSL_CERT_FILE} names, as with OpenSSL, curl
 * and Python. That is how a service with a certificate of its own or of a company's authority is reached.
 */
public final class Trust {
    /** The variable that names the file. */
    public static final String VARIABLE = "SSL_CERT_FILE";

    private Trust() {}

    /**
     * Sockets that believe the certificates of a PEM file and no others.
     *
     * @throws Failure when the file cannot be read or holds no certificate
     */
    static SSLSocketFactory in(String file) {
        try (InputStream pem = Files.newInputStream(Path.of(file))) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            KeyStore believed = KeyStore.getInstance(KeyStore.getDefaultType());
            believed.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                believed.setCertificateEntry("certificate-" + number++, certificate);
            }
            if (number == 0) {
                throw wrong(file, "holds no certificate");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(believed);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException | InvalidPathException unreadable) {
            throw wrong(file, "cannot be read");
        } catch (GeneralSecurityException noCertificate) {
            throw wrong(file, "holds no certificate in PEM form");
        }
    }

    private static Failure wrong(String file, String why) {
        return Failure.badField(VARIABLE, "names " + file + ", which " + why, "a file of certificates in PEM form");
    }
}

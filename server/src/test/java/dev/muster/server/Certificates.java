package dev.muster.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for localhost that signs itself, in PEM, made by the JDK's keytool.
 *
 * @param certificate file
 * @param key         file, its owner's only
 * @param trusting    what a client trusts
 */
record Certificates(Path certificate, Path key, SSLContext trusting) {
    private static final String PASSWORD = "changeit";

    static Certificates make(Path folder, String name, String algorithm) {
        try {
            Path store = folder.resolve(name + ".p12");
            Process keytool = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD,
                            "-alias",
                            "muster",
                            "-keyalg",
                            algorithm,
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1"))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(name + ".out").toFile())
                    .start();
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve(name + ".out")));
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            Certificate certificate = keys.getCertificate("muster");
            Path crt = pem(folder.resolve(name + ".crt"), "CERTIFICATE", certificate.getEncoded());
            Path key = pem(
                    folder.resolve(name + ".key"),
                    "PRIVATE KEY",
                    keys.getKey("muster", PASSWORD.toCharArray()).getEncoded());
            return new Certificates(crt, key, trusting(certificate));
        } catch (IOException | GeneralSecurityException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    private static SSLContext trusting(Certificate certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("muster", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}

package dev.muster.cli.client;

import dev.muster.api.Document;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A document as the body of a request. */
record JsonBody(byte[] bytes) implements Request.Body {
    JsonBody(Document document) {
        this(document.toJson().toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String mediaType() {
        return Request.JSON;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes);
    }
}

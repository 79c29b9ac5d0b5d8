package dev.muster.api;

/** A record that travels as a JSON object; each has a static {@code of(JsonFields)} that reads what {@link #toJson} wrote. */
public interface Document {
    JsonFields toJson();
}

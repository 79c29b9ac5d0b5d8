package dev.muster.backend.docker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What has to be known of an image to say what a process in it is given.
 *
 * @param id   digest of its configuration
 * @param env  variables it sets
 * @param bash where bash is in it
 */
record ImageFacts(String id, Map<String, String> env, Optional<String> bash) {
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Before the image was seen. */
    static final ImageFacts UNKNOWN = new ImageFacts("", Map.of(), Optional.empty());

    ImageFacts {
        env = Map.copyOf(env);
    }

    static ImageFacts of(JsonNode image, Optional<String> bash) {
        Map<String, String> env = new LinkedHashMap<>();
        image.path("Config").path("Env").forEach(entry -> {
            String text = entry.asString();
            int equals = text.indexOf('=');
            env.put(equals < 0 ? text : text.substring(0, equals), equals < 0 ? "" : text.substring(equals + 1));
        });
        return new ImageFacts(image.path("Id").asString(), env, bash);
    }

    /** Search path of programs. */
    String path() {
        return env.getOrDefault("PATH", DEFAULT_PATH);
    }
}

package dev.muster.spi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process is given, byte for byte.
 *
 * @param argv  program and arguments
 * @param env   its whole environment
 * @param files content of files made in its working folder, by relative path
 */
public record Rendered(List<String> argv, Map<String, String> env, Map<String, String> files) {
    public Rendered {
        argv = List.copyOf(argv);
        env = Collections.unmodifiableMap(new TreeMap<>(env));
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }

    /** Values are left out: some are secret. */
    @Override
    public String toString() {
        return "Rendered[" + argv.getFirst() + ", env " + env.keySet() + "]";
    }
}

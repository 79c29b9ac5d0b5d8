package dev.muster.spec.form;

import dev.muster.model.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Every field name of a text and where it belongs, to say what was meant by a name that is no field where it stands. */
public final class Vocabulary {
    private final Map<String, List<String>> places = new HashMap<>();
    private final Map<String, String> elsewhere;

    /**
     * The vocabulary of a block and all blocks inside it.
     *
     * @param root      the outermost block
     * @param elsewhere names that other systems use, and what is written for them here
     */
    public Vocabulary(Block root, Map<String, String> elsewhere) {
        this.elsewhere = Map.copyOf(elsewhere);
        collect(root, "");
    }

    private void collect(Block block, String path) {
        for (Field<?> field : block.fields()) {
            places.computeIfAbsent(field.name(), name -> new ArrayList<>()).add(path);
            String inside = path.isEmpty() ? field.name() : path + "." + field.name();
            field.form().inside().ifPresent(nested -> collect(nested.block(), inside + nested.step()));
        }
    }

    /** The path of every field, {@code NAME} and {@code []} where users choose names and lists have items. */
    public Set<String> paths() {
        Set<String> paths = new TreeSet<>();
        places.forEach(
                (name, inside) -> inside.forEach(place -> paths.add(place.isEmpty() ? name : place + "." + name)));
        return paths;
    }

    /** In another case, or one of them in the plural. */
    private static boolean isSameWord(String one, String other) {
        return Stream.of(one, one + "s").anyMatch(other::equalsIgnoreCase) || one.equalsIgnoreCase(other + "s");
    }

    /**
     * What may have been meant: a field that belongs elsewhere, another system's name, or the nearest name here.
     *
     * @param name the unknown name
     * @param path where it stands
     * @param here the fields of that block
     */
    Optional<String> hint(String name, String path, Collection<String> here) {
        Optional<String> near = Nearest.to(name, here);
        if (near.isPresent() && isSameWord(near.get(), name)) {
            return near;
        }
        if (places.containsKey(name)) {
            List<String> belongs = places.get(name).stream()
                    .sorted(Comparator.comparingInt(String::length))
                    .map(place -> place.isEmpty() ? "at the top" : "under " + place)
                    .toList();
            String there = "belongs " + String.join(" or ", belongs);
            return Optional.of(near.map(meant -> meant + ", else it " + there).orElse(there));
        }
        if (elsewhere.containsKey(name)) {
            return Optional.of(elsewhere.get(name));
        }
        return near.or(() -> Nearest.to(name, places.keySet()).map(found -> {
            String place = places.get(found).getFirst();
            return found + (place.isEmpty() ? ", at the top" : ", under " + place);
        }));
    }
}

package dev.muster.cli.archive;

/** Matches one name: {@code *} any letters, {@code ?} one, {@code [a-z]} and {@code [!a-z]} one of a class, {@code \} the next as it is. */
final class Glob {
    private final String glob;
    private final String name;

    private Glob(String glob, String name) {
        this.glob = glob;
        this.name = name;
    }

    static boolean matches(String glob, String name) {
        return new Glob(glob, name).match();
    }

    /** Goes back only to the last star, so the time is at most the product of the lengths. */
    private boolean match() {
        int at = 0;
        int in = 0;
        int star = -1;
        int starredTo = 0;
        while (in < name.length()) {
            if (at < glob.length() && glob.charAt(at) == '*') {
                star = at++;
                starredTo = in;
                continue;
            }
            int after = at < glob.length() ? one(at, name.charAt(in)) : -1;
            if (after >= 0) {
                at = after;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++starredTo;
            } else {
                return false;
            }
        }
        while (at < glob.length() && glob.charAt(at) == '*') {
            at++;
        }
        return at == glob.length();
    }

    /** The place after the element at this place when it matches the letter, else -1. */
    private int one(int at, char letter) {
        return switch (glob.charAt(at)) {
            case '?' -> at + 1;
            case '[' -> letterClass(at, letter);
            case '\\' -> {
                boolean last = at + 1 == glob.length();
                char wanted = last ? '\\' : glob.charAt(at + 1);
                yield wanted == letter ? at + (last ? 1 : 2) : -1;
            }
            default -> glob.charAt(at) == letter ? at + 1 : -1;
        };
    }

    private int letterClass(int at, char letter) {
        int from = at + 1;
        boolean negated = from < glob.length() && (glob.charAt(from) == '!' || glob.charAt(from) == '^');
        from += negated ? 1 : 0;
        int end = glob.indexOf(']', from + 1);
        if (end < 0) {
            return letter == '[' ? at + 1 : -1;
        }
        boolean inside = false;
        for (int place = from; place < end; place++) {
            boolean range = place + 2 < end && glob.charAt(place + 1) == '-';
            char low = glob.charAt(place);
            char high = range ? glob.charAt(place + 2) : low;
            inside |= letter >= low && letter <= high;
            place += range ? 2 : 0;
        }
        return inside != negated ? end + 1 : -1;
    }
}

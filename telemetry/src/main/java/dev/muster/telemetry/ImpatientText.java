package dev.muster.telemetry;

import java.time.Duration;

/** A text that lets a search end when it takes too long. For one search on one thread. */
final class ImpatientText implements CharSequence {
    private static final int LOOKS_BETWEEN = 1 << 12;
    private final CharSequence text;
    private final Limit limit;

    ImpatientText(CharSequence text, Duration patience) {
        this(text, new Limit(System.nanoTime() + patience.toNanos()));
    }

    private ImpatientText(CharSequence text, Limit limit) {
        this.text = text;
        this.limit = limit;
    }

    /** The patience is used up. */
    static final class TooSlow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooSlow() {
            super("the search took too long", null, false, false);
        }
    }

    private static final class Limit {
        private final long end;
        private int looks;

        Limit(long end) {
            this.end = end;
        }

        void look() {
            looks++;
            if (looks % LOOKS_BETWEEN == 0 && System.nanoTime() - end > 0) {
                throw new TooSlow();
            }
        }
    }

    @Override
    public char charAt(int index) {
        limit.look();
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new ImpatientText(text.subSequence(start, end), limit);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

package dev.muster.spec.form;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of memory ({@code 2GiB}, {@code 500MB}, Kubernetes' {@code 2Gi}) and of processors ({@code 1.5}, {@code 500m}). */
public final class Sizes {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)([A-Za-z]{0,3})");
    private static final Pattern LOOSE = Pattern.compile(
            "(\\d{1,15}(?:\\.\\d{1,9})?)\\s*(|b|bytes?|[kmgt](?:i?b?|[a-z]*bytes?))", Pattern.CASE_INSENSITIVE);
    private static final BigDecimal BYTES_LIKELY = BigDecimal.valueOf(1_000_000);
    private static final Pattern CPUS = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(m?)");
    private static final Pattern CPUS_NAMED =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)\\s*(?:v?cpus?|cores?|processors?)", Pattern.CASE_INSENSITIVE);
    private static final long LARGEST = 1L << 60;
    private static final int MOST_CPUS = 100_000;
    private static final Map<String, Long> UNITS = units();

    private Sizes() {}

    private static Map<String, Long> units() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("B", 1L);
        long binary = 1;
        long decimal = 1;
        for (String letter : List.of("k", "M", "G", "T")) {
            binary *= 1024;
            decimal *= 1000;
            units.put(letter.toUpperCase(Locale.ROOT) + "iB", binary);
            units.put(letter.toUpperCase(Locale.ROOT) + "i", binary);
            units.put(letter + "B", decimal);
            units.put(letter, decimal);
        }
        return units;
    }

    /** A number of bytes, more than 0. */
    public static Form<Long> bytes() {
        String rule = "must be an amount of memory such as 2GiB, 512MiB or 500MB";
        return at -> at.scalar(rule).flatMap(scalar -> {
            Matcher size = SIZE.matcher(scalar.text());
            Long unit = size.matches() ? UNITS.get(size.group(2)) : null;
            if (unit == null) {
                return at.wrong(rule + ", not " + At.shown(scalar.text()), meant(scalar.text()));
            }
            BigDecimal bytes = new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(unit));
            boolean inside = bytes.compareTo(BigDecimal.ONE) >= 0 && bytes.compareTo(BigDecimal.valueOf(LARGEST)) <= 0;
            return inside ? Optional.of(bytes.longValue()) : at.wrong(rule + ", from 1 byte to 1 EiB");
        });
    }

    /** The amount that a person wrote in another form, such as {@code 4 gb}, which may mean the decimal or the binary unit. */
    private static Optional<String> meant(String text) {
        Matcher loose = LOOSE.matcher(text.strip());
        if (!loose.matches() || new BigDecimal(loose.group(1)).signum() == 0) {
            return Optional.empty();
        }
        String number = loose.group(1);
        String unit = loose.group(2).toUpperCase(Locale.ROOT);
        if (unit.isEmpty()) {
            return Optional.of(
                    new BigDecimal(number).compareTo(BYTES_LIKELY) >= 0
                            ? number + "B"
                            : number + "MiB, or another unit");
        }
        String letter = unit.substring(0, 1);
        if (letter.equals("B")) {
            return Optional.of(number + "B");
        }
        String decimal = number + (letter.equals("K") ? "k" : letter) + "B";
        String binary = number + letter + "iB";
        return Optional.of(unit.matches(".IB?|.*BIBYTES?") ? binary : decimal + " or " + binary);
    }

    /** The text of a number of bytes, exactly, in the largest binary unit that divides it. */
    public static String write(long bytes) {
        for (String unit : List.of("TiB", "GiB", "MiB", "KiB")) {
            if (bytes % UNITS.get(unit) == 0) {
                return bytes / UNITS.get(unit) + unit;
            }
        }
        return bytes + "B";
    }

    /** Thousandths of a processor, more than 0. */
    public static Form<Integer> milliCpus() {
        String rule = "must be a number of processors such as 2, 0.5 or 500m";
        return at -> at.scalar(rule).flatMap(scalar -> {
            Matcher cpus = CPUS.matcher(scalar.text());
            if (!cpus.matches()) {
                Matcher named = CPUS_NAMED.matcher(scalar.text().strip());
                return at.wrong(
                        rule + ", not " + At.shown(scalar.text()),
                        named.matches() ? Optional.of(named.group(1)) : Optional.empty());
            }
            BigDecimal milli =
                    new BigDecimal(cpus.group(1)).movePointRight(cpus.group(2).isEmpty() ? 3 : 0);
            boolean whole = milli.stripTrailingZeros().scale() <= 0;
            boolean inside = milli.signum() > 0 && milli.compareTo(BigDecimal.valueOf(MOST_CPUS * 1000L)) <= 0;
            return whole && inside
                    ? Optional.of(milli.intValueExact())
                    : at.wrong(rule + ", in steps of 0.001 up to " + MOST_CPUS + ", not " + scalar.text());
        });
    }

    /** The text of a number of thousandths. */
    public static String writeCpus(int milliCpus) {
        return BigDecimal.valueOf(milliCpus, 3).stripTrailingZeros().toPlainString();
    }
}

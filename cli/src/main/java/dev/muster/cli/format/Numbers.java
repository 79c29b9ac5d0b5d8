package dev.muster.cli.format;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers for people, spelled the same in every locale. */
public final class Numbers {
    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_UP);
    private static final double LARGE = 1e7;
    private static final double SMALL = 1e-4;

    private Numbers() {}

    /** With so many digits after the point. */
    public static String fixed(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP).toPlainString();
    }

    /** A measured value with four digits that count, such as 0.8714 or 1.2E-7. */
    public static String show(double value) {
        if (!Double.isFinite(value) || value == 0) {
            return value == 0 ? "0" : Double.toString(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(FOUR_DIGITS);
        double size = Math.abs(value);
        if (size >= LARGE || size < SMALL) {
            return Double.toString(rounded.doubleValue());
        }
        if (size >= 1000) {
            return new BigDecimal(value).setScale(0, RoundingMode.HALF_UP).toPlainString();
        }
        return rounded.stripTrailingZeros().toPlainString();
    }
}

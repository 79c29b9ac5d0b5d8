package dev.muster.cli.screen;

/** Colours, where they are wanted (ECMA-48 SGR). */
public record Style(boolean coloured) {
    public static final Style PLAIN = new Style(false);

    private static final String RESET = "\u001b[0m";

    /** A state of a job or a process in its colour. */
    public String state(String state) {
        return switch (state) {
            case "Succeeded", "Running" -> paint("32", state);
            case "Failed", "Lost" -> paint("31", state);
            case "Restarting", "Stopping", "Suspended", "Cancelled" -> paint("33", state);
            default -> paint("36", state);
        };
    }

    public String bold(String text) {
        return paint("1", text);
    }

    public String dim(String text) {
        return paint("2", text);
    }

    public String bad(String text) {
        return paint("31", text);
    }

    private String paint(String code, String text) {
        return coloured ? "\u001b[" + code + "m" + text + RESET : text;
    }
}

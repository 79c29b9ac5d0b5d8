package dev.muster.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * What a terminal shows after some output: lines, with cursor up, carriage return, clearing below, colours and hiding of the cursor
 * (ECMA-48). Any other sequence is a failure, because a real terminal might do anything with it.
 */
public final class FakeTerminal {
    private final List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    private int row;
    private int column;
    private boolean cursorHidden;

    /** All lines that were ever shown and not cleared, those that scrolled away included. */
    public static List<String> show(String output) {
        FakeTerminal terminal = new FakeTerminal();
        terminal.write(output);
        if (terminal.cursorHidden) {
            throw new AssertionError("the cursor stays hidden");
        }
        return terminal.lines();
    }

    public void write(String output) {
        int at = 0;
        while (at < output.length()) {
            char letter = output.charAt(at);
            if (letter == '\u001b') {
                at = sequence(output, at);
                continue;
            }
            switch (letter) {
                case '\n' -> {
                    row++;
                    column = 0;
                    if (row == lines.size()) {
                        lines.add(new StringBuilder());
                    }
                }
                case '\r' -> column = 0;
                default -> put(letter);
            }
            at++;
        }
    }

    public List<String> lines() {
        List<String> shown =
                new ArrayList<>(lines.stream().map(StringBuilder::toString).toList());
        while (!shown.isEmpty() && shown.getLast().isEmpty()) {
            shown.removeLast();
        }
        return shown;
    }

    private void put(char letter) {
        if (letter < 0x20) {
            throw new AssertionError("a control character was written: " + (int) letter);
        }
        StringBuilder line = lines.get(row);
        if (column < line.length()) {
            line.setCharAt(column, letter);
        } else {
            line.append(letter);
        }
        column++;
    }

    private int sequence(String output, int at) {
        int end = at + 2;
        while (output.charAt(end) < 0x40) {
            end++;
        }
        String arguments = output.substring(at + 2, end);
        switch (output.charAt(end)) {
            case 'A' -> row -= Integer.parseInt(arguments);
            case 'J' -> {
                lines.get(row).setLength(column);
                while (lines.size() > row + 1) {
                    lines.removeLast();
                }
            }
            case 'm' -> {
                // Colours show no letter.
            }
            case 'l', 'h' -> cursorHidden = output.charAt(end) == 'l';
            default ->
                throw new AssertionError("an unknown sequence was written: " + output.substring(at + 1, end + 1));
        }
        if (row < 0) {
            throw new AssertionError("the cursor left the screen");
        }
        return end + 1;
    }
}

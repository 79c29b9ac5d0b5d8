package dev.muster.cli.arguments;

/** One argument that is no option, told by its place. Optional ones come last. */
public record Operand(String label, boolean required, String meaning) {}

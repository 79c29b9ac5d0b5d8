package dev.muster.spec.form;

/**
 * One row of a table of fields.
 *
 * @param name as written in job text
 * @param form how its value is written
 */
public record Field<T>(String name, Form<T> form) {}

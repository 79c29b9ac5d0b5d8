package dev.muster.store;

/**
 * The few places where the statements of the store differ from one product to another.
 *
 * @param shared whether other processes may have the database open
 * @param now   expression for the time of the database at this very moment, in milliseconds since 1970
 * @param lock  ends a select whose row is about to be changed: others wait for this transaction
 * @param share ends a select whose row must not change before this transaction has ended
 * @param clock advances the latest stored time; its one value is the time in nanoseconds
 */
record Dialect(boolean shared, String now, String lock, String share, String clock) {}

/**
 * What the machine gives: its clock, ids, and threads that carry virtual ones. The one place where the system's clock is read and ids are
 * made; all else takes {@code spi.Clock} and {@code spi.Ids}.
 */
package dev.muster.server.system;

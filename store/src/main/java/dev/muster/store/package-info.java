/** Keeps jobs in SQL: SQLite or PostgreSQL. */
package dev.muster.store;

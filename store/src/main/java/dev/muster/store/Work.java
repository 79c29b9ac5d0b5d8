package dev.muster.store;

import java.sql.SQLException;

/**
 * Something done in one transaction. It may be done again from the start when its transaction had to be rolled back, so it
 * changes nothing but the database.
 */
@FunctionalInterface
interface Work<T> {
    T in(Session session) throws SQLException;
}

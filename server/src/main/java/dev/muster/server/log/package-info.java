/** The service's own log: whatever any part says by {@code System.Logger}, in one file of bounded size. */
package dev.muster.server.log;

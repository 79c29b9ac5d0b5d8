/** MUSTER_HOME: made owner-only, locked by one service at a time, and the file that tells clients where the service is. */
package dev.muster.server.home;

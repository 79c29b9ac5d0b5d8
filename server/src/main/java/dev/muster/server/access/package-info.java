/** Who may do what: tokens, what each may see and do, and the record of what was done. */
package dev.muster.server.access;

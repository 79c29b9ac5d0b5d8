/** HTTP as the rest of the service sees it: exchanges, routes, access and errors. Helidon is known here and nowhere else. */
package dev.muster.server.http;

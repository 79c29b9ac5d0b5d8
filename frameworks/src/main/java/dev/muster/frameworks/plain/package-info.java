/** Processes that get their place in the group and nothing more. */
package dev.muster.frameworks.plain;

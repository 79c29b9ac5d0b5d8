/** The commands, one class each: what they take, what they ask the service, what they show. */
package dev.muster.cli.command;

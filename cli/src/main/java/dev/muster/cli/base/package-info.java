/** What every part of the command line stands on: how a command ends and fails, where it runs, where it writes. */
package dev.muster.cli.base;

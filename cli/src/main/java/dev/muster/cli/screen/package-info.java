/** What a person sees of a job: on a terminal one live view, elsewhere plain lines. */
package dev.muster.cli.screen;

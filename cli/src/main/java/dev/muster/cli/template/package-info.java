/** Job folders to begin with: the folders of {@code examples/}, carried along as resources. */
package dev.muster.cli.template;

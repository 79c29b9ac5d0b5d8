/** Job text as a tree of mappings, lists and scalars that keep their spelling; the only place that knows the YAML library. */
package dev.muster.spec.tree;

/** Frameworks whose launch contract Muster does not follow yet: known by name, refused with a clear answer. */
package dev.muster.frameworks.later;

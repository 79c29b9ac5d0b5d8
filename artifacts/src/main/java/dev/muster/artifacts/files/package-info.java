/** What the stores of this module share: folder trees and their digests, durable writes, locks, one small JSON codec. */
package dev.muster.artifacts.files;

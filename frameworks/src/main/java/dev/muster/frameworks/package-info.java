/** Pure launch plans, one package for each training framework; what they share, and the list of them, lies in this one. */
package dev.muster.frameworks;

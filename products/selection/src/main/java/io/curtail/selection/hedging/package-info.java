/** When a read that is slow to be answered gets a second copy. */
package io.curtail.selection.hedging;

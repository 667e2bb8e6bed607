/** What goes wrong with a node on purpose, and is put right afterwards, whatever happens. */
package io.curtail.lab.fault;

/** Real clusters on one machine, and what is measured on them. */
package io.curtail.lab;

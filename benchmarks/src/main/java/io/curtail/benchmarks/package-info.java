/** . */
package io.curtail.benchmarks;

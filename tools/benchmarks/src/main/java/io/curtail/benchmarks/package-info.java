/** JMH benchmarks of the code that has a budget; {@code curtail bench} runs them. */
package io.curtail.benchmarks;

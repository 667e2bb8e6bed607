/** What a query plan and a response cost: Curtail's policy beside the driver's own. */
package io.curtail.benchmarks.plan;

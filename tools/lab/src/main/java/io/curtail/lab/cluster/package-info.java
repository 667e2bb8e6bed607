/** Real clusters of stock Cassandra nodes on one machine: what they are made of and their life. */
package io.curtail.lab.cluster;

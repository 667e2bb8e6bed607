/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The storage engine beside stock Cassandra: the same rows and requests on a node of each, in turn,
 * and what each of them took.
 */
package io.curtail.lab.engine;

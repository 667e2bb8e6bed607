/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Trials of the storage engine on a real node in a child process: {@code fuzz}, {@code crash},
 * {@code disk} and {@code cost}, and here what they share. The classes that touch Cassandra run in
 * the child.
 */
package io.curtail.engine.trials;

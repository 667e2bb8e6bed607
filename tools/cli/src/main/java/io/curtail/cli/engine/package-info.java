/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** {@code curtail engine}; may use {@code option} and {@code output}. */
package io.curtail.cli.engine;

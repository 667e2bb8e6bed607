/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** {@code curtail lab}; may use {@code option} and {@code output}. */
package io.curtail.cli.lab;

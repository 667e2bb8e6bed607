/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The tour that {@code curtail demo} gives: acts, what was seen in words, and its page. */
package io.curtail.lab.demo;

/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

/**
 * What an act showed, as a row of the demo's table.
 *
 * @param act what was done
 * @param measure what was counted
 * @param stock without Curtail
 * @param curtail with it
 * @param seen in words that do not depend on how busy the machine is
 */
record Scene(String act, String measure, String stock, String curtail, String seen) {}

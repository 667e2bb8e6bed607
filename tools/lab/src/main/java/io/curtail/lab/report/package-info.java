/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The results of a campaign as a page, as text and as JSON, with ratios and intervals. */
package io.curtail.lab.report;

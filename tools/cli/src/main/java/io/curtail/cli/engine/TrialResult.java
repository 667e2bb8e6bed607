/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

/**
 * What a trial of the engine found.
 *
 * @param details for programs
 * @param summary for people
 * @param isRight whether nothing failed
 */
record TrialResult(Object details, String summary, boolean isRight) {}

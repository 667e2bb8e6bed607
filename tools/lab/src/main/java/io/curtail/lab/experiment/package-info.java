/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How arms are measured side by side: a scenario's conditions, blocks of runs in random order, and
 * what makes a run count. Which questions are asked is in {@code io.curtail.lab.scenario}.
 */
package io.curtail.lab.experiment;

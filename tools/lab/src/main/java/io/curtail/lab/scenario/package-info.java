/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The questions that {@code curtail lab run} asks, a class each, or one for a family. How they are
 * measured is in {@code io.curtail.lab.experiment}.
 */
package io.curtail.lab.scenario;

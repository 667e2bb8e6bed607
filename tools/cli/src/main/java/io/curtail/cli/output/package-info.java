/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What commands say: results as text or JSON, reports in folders, errors in a line, also when the
 * user stops them; may use no other package of the command line.
 */
package io.curtail.cli.output;

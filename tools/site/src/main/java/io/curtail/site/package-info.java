/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The site: the Markdown pages as HTML, with the Javadoc of what a user installs. */
package io.curtail.site;

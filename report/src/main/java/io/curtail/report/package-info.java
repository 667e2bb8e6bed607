/** . */
package io.curtail.report;

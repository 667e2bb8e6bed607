/** . */
package io.curtail.driver;

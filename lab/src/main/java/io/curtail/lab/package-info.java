/** . */
package io.curtail.lab;

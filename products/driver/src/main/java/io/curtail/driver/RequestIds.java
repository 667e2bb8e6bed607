/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;

/**
 * Whether the driver numbers its requests: then it sends statements made from the application's,
 * and tells its trackers of those.
 */
final class RequestIds {
  private RequestIds() {}

  static boolean areOn(DriverContext context) {
    try {
      return ((InternalDriverContext) context).getRequestIdGenerator().isPresent();
    } catch (NoSuchMethodError e) {
      return false; // a driver before 4.19.1
    }
  }
}

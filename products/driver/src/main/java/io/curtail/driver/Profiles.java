/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.Request;

/** The profile that a request runs with: one policy may serve several. */
final class Profiles {
  private Profiles() {}

  static DriverExecutionProfile of(Request request, DriverContext context) {
    DriverExecutionProfile profile = request.getExecutionProfile();
    if (profile != null) {
      return profile;
    }
    String name = request.getExecutionProfileName();
    DriverConfig config = context.getConfig();
    return name == null || name.isEmpty() ? config.getDefaultProfile() : config.getProfile(name);
  }

  static String nameOf(Request request) {
    DriverExecutionProfile profile = request.getExecutionProfile();
    String name = profile != null ? profile.getName() : request.getExecutionProfileName();
    return name == null || name.isEmpty() ? DriverExecutionProfile.DEFAULT_NAME : name;
  }

  static boolean isIdempotent(Request request, DriverContext context) {
    Boolean own = request.isIdempotent();
    return own != null
        ? own
        : of(request, context).getBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE);
  }
}

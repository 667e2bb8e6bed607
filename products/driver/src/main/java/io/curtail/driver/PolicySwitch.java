/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the policy plans itself or leaves it to the driver's own. A fault of ours, or a driver
 * whose internals differ, must not fail the user's requests: each fault is counted, and after
 * {@value #FAULTS_ALLOWED} within {@value #WINDOW_SECONDS} s the policy is off until a user
 * switches it on again. Thread-safe.
 */
final class PolicySwitch {
  static final int FAULTS_ALLOWED = 10;
  static final int WINDOW_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(PolicySwitch.class);
  private static final long WINDOW_NANOS = WINDOW_SECONDS * 1_000_000_000L;

  private final String logPrefix;
  private final LongAdder faults = new LongAdder();
  private volatile boolean on = true;
  private volatile String lastFault = "";
  private long windowStartNanos;
  private int faultsInWindow;

  PolicySwitch(String logPrefix) {
    this.logPrefix = logPrefix;
  }

  boolean isOn() {
    return on;
  }

  synchronized void set(boolean value) {
    if (on != value) {
      LOG.info("[{}] Switched {} by the user", logPrefix, value ? "on" : "off");
    }
    faultsInWindow = 0;
    on = value;
  }

  /** Something of ours broke, and the driver's own way was taken instead. */
  synchronized void onFault(String what, Throwable fault) {
    count(fault);
    long now = System.nanoTime();
    if (faultsInWindow == 0 || now - windowStartNanos > WINDOW_NANOS) {
      windowStartNanos = now;
      faultsInWindow = 0;
    }
    faultsInWindow++;
    if (faultsInWindow == 1) {
      LOG.warn("[{}] Could not {}; did as the driver does", logPrefix, what, fault);
    }
    if (on && faultsInWindow >= FAULTS_ALLOWED) {
      switchOff(what, fault);
    }
  }

  /** What broke leaves the policy without the knowledge it needs. */
  synchronized void onFatalFault(String what, Throwable fault) {
    count(fault);
    if (on) {
      switchOff(what, fault);
    }
  }

  private void count(Throwable fault) {
    faults.increment();
    lastFault = fault.toString();
  }

  private void switchOff(String what, Throwable fault) {
    on = false;
    LOG.error(
        "[{}] Could not {}; Curtail's policy is off and the driver's BasicLoadBalancingPolicy plans, "
            + "until it is switched on by JMX or its control()",
        logPrefix,
        what,
        fault);
  }

  /** Returns how often something of ours broke. */
  long faults() {
    return faults.sum();
  }

  /** Returns an empty string if nothing ever broke. */
  String lastFault() {
    return lastFault;
  }
}

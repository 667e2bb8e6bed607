/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is in force on this node: the settings, the policy with what was measured for it, and the
 * mode, which is off whenever something forbids the one that is set. Thread-safe.
 */
final class LiveSettings {
  /** Longer than a read may take. */
  private static final long UNDER_WAY_NANOS = 60_000_000_000L;

  private static final Logger LOGGER = LoggerFactory.getLogger(LiveSettings.class);

  private final Host host;
  private final Counts counts;
  private final Consumer<Mode> modeChanged;

  private String modeInFile;
  private String passingInFile;
  private volatile Settings settings;
  private volatile ActivePolicy policy;
  private volatile PermitWait permitWait;
  private volatile Mode mode = Mode.OFF;

  // What keeps the mode that is set from being in force.
  private volatile String switchedOff;
  private volatile String passingSwitchedOff;
  private long passingOffAtNanos;
  private volatile Passing passing = Passing.OFF;
  private volatile boolean wrapped;
  private volatile boolean inUse = true;

  /**
   * @param modeChanged is told of every mode that comes into force
   */
  LiveSettings(Settings initial, Host host, Counts counts, Consumer<Mode> modeChanged) {
    this.settings = initial;
    this.modeInFile = initial.text(Knob.MODE);
    this.passingInFile = initial.text(Knob.PASSING);
    this.host = host;
    this.counts = counts;
    this.modeChanged = modeChanged;
  }

  /** Puts the first settings in force. */
  void start() {
    apply(settings, true);
  }

  /**
   * Changes settings of the running node, as its operator asks.
   *
   * @throws IllegalArgumentException if one is not understood; then none is changed
   */
  void set(Map<String, String> changes) {
    boolean mode = changes.containsKey(Knob.MODE.toString());
    set(changes, mode, mode || changes.containsKey(Knob.PASSING.toString()));
  }

  private synchronized void set(
      Map<String, String> changes, boolean switchOn, boolean switchPassingOn) {
    Settings before = settings;
    Settings changed = before.withLive(changes);
    if (switchOn) {
      switchedOff = null;
    }
    if (switchPassingOn) {
      passingSwitchedOff = null;
    }
    apply(changed, needsNewPolicy(before, changed));
    if (before.mode != changed.mode) {
      LOGGER.info("Curtail goes from mode {} to {}", before.mode, changed.mode);
    }
  }

  /**
   * Takes what the settings file has now. A plug-in that switched itself off stays off, unless the
   * file names another mode than it did; passing that did, unless it names another mode or passing.
   *
   * @throws IllegalArgumentException if one is not understood; then none is changed
   */
  synchronized void reload(Map<String, String> file) {
    String mode = file.getOrDefault(Knob.MODE.toString(), modeInFile).trim();
    boolean another = !mode.equals(modeInFile);
    String passingNow = file.getOrDefault(Knob.PASSING.toString(), passingInFile).trim();
    set(file, another, another || !passingNow.equals(passingInFile));
    modeInFile = mode;
    passingInFile = passingNow;
  }

  private static boolean needsNewPolicy(Settings before, Settings after) {
    return before.policy != after.policy
        || !before.text(Knob.AVERAGING_MILLIS).equals(after.text(Knob.AVERAGING_MILLIS))
        || !before.limitsAs(after);
  }

  private synchronized void apply(Settings changed, boolean forget) {
    settings = changed;
    permitWait = new PermitWait(changed.backlogThreads, counts);
    if (forget || policy == null) {
      policy = new ActivePolicy(changed, host);
    } else {
      policy.update(changed, host, true);
    }
    refreshMode();
  }

  /** Follows the cluster: the number of coordinators, and how near peers are. */
  synchronized void followCluster() {
    policy.update(settings, host, false);
  }

  /**
   * What the node does with the plug-in's snitch.
   *
   * @param isWrapped whether another dynamic snitch is around it
   * @param isInUse whether it is the node's snitch at all
   */
  synchronized void snitchIs(boolean isWrapped, boolean isInUse) {
    if (isWrapped && !wrapped && isInUse) {
      LOGGER.error(
          "Curtail does NOTHING on this node: Cassandra's dynamic snitch is wrapped around it and"
              + " would reorder what it ranks. Write 'dynamic_snitch: false' in cassandra.yaml and"
              + " restart.");
    }
    wrapped = isWrapped;
    if (isInUse != inUse) {
      inUse = isInUse;
      LOGGER.info(
          isInUse ? "Curtail is back" : "Curtail is off: another snitch has taken its place");
    }
    refreshMode();
  }

  /** Switches the plug-in off until an operator sets a mode. */
  void switchOff(String reason) {
    synchronized (this) {
      if (switchedOff != null) {
        return;
      }
      switchedOff = reason;
      refreshMode();
    }
    LOGGER.error(
        "Curtail switched itself off on this node: {}. Cassandra's own dynamic snitch orders reads."
            + " Set a mode to switch it on again.",
        reason);
  }

  private synchronized void refreshMode() {
    mode = problem() == null ? settings.mode : Mode.OFF;
    passing = passingNow();
    modeChanged.accept(mode);
  }

  private Passing passingNow() {
    if (!mode.measures() || passingSwitchedOff != null) {
      return Passing.OFF;
    }
    return settings.passing == Passing.ON && !mode.ranks() ? Passing.OBSERVE : settings.passing;
  }

  /**
   * Switches passing reads on off until an operator sets it, or a mode, and leaves the rest. If
   * that was done over a minute ago, it did not help: switches the plug-in off.
   */
  void switchPassingOff(String reason) {
    boolean isOff;
    synchronized (this) {
      isOff = passingSwitchedOff != null;
      if (isOff && host.nanoTime() - passingOffAtNanos <= UNDER_WAY_NANOS) {
        return; // of reads that were under way
      }
      passingOffAtNanos = isOff ? passingOffAtNanos : host.nanoTime();
      passingSwitchedOff = reason;
      refreshMode();
    }
    if (isOff) {
      switchOff(reason);
      return;
    }
    LOGGER.error(
        "Curtail passes no reads on any more: {}. Set 'passing' to switch it on again.", reason);
  }

  /** Why the passing that is set is not in force; null if it is. */
  String passingProblem() {
    return passingSwitchedOff;
  }

  /** What becomes of reads that would wait; in modes that do not rank, nothing is passed on. */
  Passing passing() {
    return passing;
  }

  /** Why the mode that is set is not in force; null if it is. */
  String problem() {
    if (!inUse) {
      return "another snitch is in use";
    }
    return wrapped ? "dynamic_snitch is on" : switchedOff;
  }

  /** Whether this node's reads are ordered by the plug-in's snitch and by no other around it. */
  boolean ordersReads() {
    return inUse && !wrapped;
  }

  Mode mode() {
    return mode;
  }

  Settings settings() {
    return settings;
  }

  ActivePolicy policy() {
    return policy;
  }

  PermitWait permitWait() {
    return permitWait;
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.event.EventListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The options for what an application adds to a database, and for how it watches the database. A
 * group of {@link DatabaseOptions.Builder}, which inherits all groups: each option is described,
 * kept and checked here. Not thread-safe.
 */
abstract class ApplicationSettings<B extends ApplicationSettings<B>> extends FileSettings<B> {
  Map<String, MergeOperator> mergeOperators = Map.of();
  Map<String, CompactionFilter> compactionFilters = Map.of();
  List<EventListener> eventListeners = List.of();
  InstantSource clock = InstantSource.system();
  Duration slowOperation = Duration.ZERO;
  LeakDetection leakDetection = LeakDetection.SAMPLED;
  boolean jmx;
  Experiment experiment = Experiment.NONE;

  ApplicationSettings() {}

  /**
   * Adds a merge operator, to which families refer by its name. The operators of {@link
   * io.accordiondb.merge.MergeOperators} are always available and need not be added; {@link
   * Database#open} refuses another one with the name of one of these.
   *
   * @param operator the operator to add
   * @return this builder
   * @throws IllegalArgumentException if there is another operator with this name
   */
  public B mergeOperator(MergeOperator operator) {
    String name = Objects.requireNonNull(operator, "operator").name();
    Map<String, MergeOperator> all = new TreeMap<>(mergeOperators);
    MergeOperator before = all.putIfAbsent(name, operator);
    if (before != null && before != operator) {
      throw new IllegalArgumentException("there are two merge operators with the name " + name);
    }
    mergeOperators = Collections.unmodifiableMap(all);
    return self();
  }

  /**
   * Adds a compaction filter, to which families refer by its name.
   *
   * @param name 1 to 127 printable ASCII characters
   * @param filter the filter to add
   * @return this builder
   * @throws IllegalArgumentException if the name is not allowed, or there is another filter with
   *     this name
   */
  public B compactionFilter(String name, CompactionFilter filter) {
    FamilyDescriptor.checkFunctionName("compaction filter", name);
    Map<String, CompactionFilter> all = new TreeMap<>(compactionFilters);
    CompactionFilter before = all.putIfAbsent(name, Objects.requireNonNull(filter, "filter"));
    if (before != null && before != filter) {
      throw new IllegalArgumentException("there are two compaction filters with the name " + name);
    }
    compactionFilters = Collections.unmodifiableMap(all);
    return self();
  }

  /**
   * Adds a listener for events of the database.
   *
   * @param listener the listener to add
   * @return this builder
   */
  public B eventListener(EventListener listener) {
    List<EventListener> all = new ArrayList<>(eventListeners);
    all.add(Objects.requireNonNull(listener, "listener"));
    eventListeners = Collections.unmodifiableList(all);
    return self();
  }

  /**
   * Sets the clock, which gives timestamps and ends times to live; the system's clock by default.
   * The clock may be wrong for a while:
   *
   * <ul>
   *   <li>If it goes back, writes keep the highest timestamp given so far, so no write is hidden by
   *       an earlier one. Reads use the clock as it is.
   *   <li>If it jumps more than an hour ahead of the elapsed time, expired cells are not dropped
   *       from memory or files until the clock has been ahead for an hour. Reads do not see these
   *       cells in the meantime; when the clock is right, they see them again. The same applies
   *       after a restart if the last write is more than an hour old.
   *   <li>If it jumps more than 30 days ahead while the database is open, reads and writes use the
   *       elapsed time instead, until the clock has been ahead for an hour.
   * </ul>
   *
   * Writes made while the database trusts a clock that is ahead have the time of that clock, and
   * later writes get no earlier time until the database is opened after the last such cell has been
   * dropped. Log files that are kept in such a period count as kept since that time, so they stay
   * longer than {@link #logRetention(Duration)}; {@link #logRetentionBytesMax(long)} limits them.
   *
   * @param clock supplies the present time
   * @return this builder
   */
  public B clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return self();
  }

  /**
   * Sets how long a get, a step of a scan, a write or a commit may take before it is logged
   * together with what it waited for; at most an hour. Zero, the default, logs none. At most one
   * line a second is logged. While this is set, all operations are timed, which takes some 50 ns
   * each.
   *
   * @param limit the duration, up to an hour; zero to log none
   * @return this builder
   */
  public B slowOperation(Duration limit) {
    OptionBounds.checked("slowOperation in ms", OptionBounds.millisOf(limit), 0, 3_600_000);
    slowOperation = limit;
    return self();
  }

  /**
   * Sets how the database looks for objects that are never closed; {@link LeakDetection#SAMPLED} by
   * default.
   *
   * @param detection how leaks are found
   * @return this builder
   */
  public B leakDetection(LeakDetection detection) {
    leakDetection = Objects.requireNonNull(detection, "detection");
    return self();
  }

  /**
   * Sets whether the statistics are published by JMX, in the platform's MBean server, as {@code
   * io.accordiondb:type=Database,name="folder"}; false by default.
   *
   * @param register whether a bean is registered
   * @return this builder
   */
  public B jmx(boolean register) {
    jmx = register;
    return self();
  }

  /**
   * Changes the settings for experiments; see {@link Experiment}.
   *
   * @param change receives the present settings and returns the new ones
   * @return this builder
   */
  public B experiment(UnaryOperator<Experiment> change) {
    experiment =
        Objects.requireNonNull(
            Objects.requireNonNull(change, "change").apply(experiment), "experiment");
    return self();
  }
}

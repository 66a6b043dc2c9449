// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import io.accordiondb.kafka.streams.internal.store.KeyValueSupplier;
import io.accordiondb.kafka.streams.internal.store.SessionSupplier;
import io.accordiondb.kafka.streams.internal.store.VersionedSupplier;
import io.accordiondb.kafka.streams.internal.store.WindowSupplier;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.streams.kstream.EmitStrategy.StrategyType;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.VersionedBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;

/**
 * Suppliers of state stores, for the store builders of {@link
 * org.apache.kafka.streams.state.Stores} and for {@code Materialized}:
 *
 * <pre>{@code
 * StoreBuilder<KeyValueStore<String, Long>> hits =
 *     Stores.keyValueStoreBuilder(
 *         AccordionStores.keyValueStore("hits"), Serdes.String(), Serdes.Long());
 * }</pre>
 *
 * <p>Each method replaces the method of {@code Stores} with {@code persistent} in its name, and
 * accepts and refuses the same arguments. Thread-safe.
 */
public final class AccordionStores {
  /** The shortest segment of a window or session store by default. */
  private static final long SEGMENT_MILLIS_MIN = 60_000;

  private AccordionStores() {}

  /**
   * Supplies key-value stores.
   *
   * @param name the name of the store
   * @return the supplier
   */
  public static KeyValueBytesStoreSupplier keyValueStore(String name) {
    return new KeyValueSupplier(Objects.requireNonNull(name, "name cannot be null"), false);
  }

  /**
   * Supplies key-value stores whose values have a timestamp.
   *
   * @param name the name of the store
   * @return the supplier
   */
  public static KeyValueBytesStoreSupplier timestampedKeyValueStore(String name) {
    return new KeyValueSupplier(Objects.requireNonNull(name, "name cannot be null"), true);
  }

  /**
   * Supplies versioned key-value stores.
   *
   * @param name the name of the store
   * @param historyRetention for how long old versions can be queried, 0 or more
   * @return the supplier
   * @throws IllegalArgumentException if the duration is null or negative
   */
  public static VersionedBytesStoreSupplier versionedKeyValueStore(
      String name, Duration historyRetention) {
    Objects.requireNonNull(name, "name cannot be null");
    long retentionMillis = notNegative("historyRetention", historyRetention);
    return new VersionedSupplier(name, retentionMillis, segmentMillisOf(retentionMillis));
  }

  /**
   * Supplies versioned key-value stores that drop old versions in given steps.
   *
   * @param name the name of the store
   * @param historyRetention for how long old versions can be queried, 0 or more
   * @param segmentInterval versions that ended within one such interval are dropped together; at
   *     least 1 ms
   * @return the supplier
   * @throws IllegalArgumentException if a duration is null or too short
   */
  public static VersionedBytesStoreSupplier versionedKeyValueStore(
      String name, Duration historyRetention, Duration segmentInterval) {
    Objects.requireNonNull(name, "name cannot be null");
    long retentionMillis = notNegative("historyRetention", historyRetention);
    long segmentMillis = notNegative("segmentInterval", segmentInterval);
    if (segmentMillis < 1) {
      throw new IllegalArgumentException("segmentInterval cannot be zero or negative");
    }
    return new VersionedSupplier(name, retentionMillis, segmentMillis);
  }

  /**
   * Supplies window stores.
   *
   * @param name the name of the store
   * @param retentionPeriod for how long windows are kept, at least the size of a window
   * @param windowSize the size of a window, 0 or more
   * @param retainDuplicates whether all values of a key and window are kept, as joins of streams
   *     need it
   * @return the supplier
   * @throws IllegalArgumentException if a duration is null or negative, or the retention is shorter
   *     than a window
   */
  public static WindowBytesStoreSupplier windowStore(
      String name, Duration retentionPeriod, Duration windowSize, boolean retainDuplicates) {
    return windowSupplier(name, retentionPeriod, windowSize, retainDuplicates, false, false);
  }

  /**
   * Supplies window stores whose values have a timestamp.
   *
   * @param name the name of the store
   * @param retentionPeriod for how long windows are kept, at least the size of a window
   * @param windowSize the size of a window, 0 or more
   * @param retainDuplicates whether all values of a key and window are kept, as joins of streams
   *     need it
   * @return the supplier
   * @throws IllegalArgumentException if a duration is null or negative, or the retention is shorter
   *     than a window
   */
  public static WindowBytesStoreSupplier timestampedWindowStore(
      String name, Duration retentionPeriod, Duration windowSize, boolean retainDuplicates) {
    return windowSupplier(name, retentionPeriod, windowSize, retainDuplicates, true, false);
  }

  /**
   * Supplies session stores.
   *
   * @param name the name of the store
   * @param retentionPeriod for how long sessions are kept after their end, 0 or more
   * @return the supplier
   * @throws IllegalArgumentException if the duration is null or negative
   */
  public static SessionBytesStoreSupplier sessionStore(String name, Duration retentionPeriod) {
    return sessionSupplier(name, retentionPeriod, false);
  }

  /** Supplies the window stores that the DSL asks for. */
  static WindowBytesStoreSupplier windowStore(DslWindowParams params) {
    return windowSupplier(
        params.name(),
        params.retentionPeriod(),
        params.windowSize(),
        params.retainDuplicates(),
        params.isTimestamped(),
        params.emitStrategy().type() == StrategyType.ON_WINDOW_CLOSE);
  }

  /** Supplies the session stores that the DSL asks for. */
  static SessionBytesStoreSupplier sessionStore(DslSessionParams params) {
    return sessionSupplier(
        params.name(),
        params.retentionPeriod(),
        params.emitStrategy().type() == StrategyType.ON_WINDOW_CLOSE);
  }

  private static SessionBytesStoreSupplier sessionSupplier(
      String name, Duration retentionPeriod, boolean emittedOnClose) {
    Objects.requireNonNull(name, "name cannot be null");
    long retentionMillis = notNegative("retentionPeriod", retentionPeriod);
    return new SessionSupplier(
        name, retentionMillis, Math.max(retentionMillis / 2, SEGMENT_MILLIS_MIN), emittedOnClose);
  }

  private static WindowBytesStoreSupplier windowSupplier(
      String name,
      Duration retentionPeriod,
      Duration windowSize,
      boolean retainDuplicates,
      boolean timestamped,
      boolean emittedOnClose) {
    Objects.requireNonNull(name, "name cannot be null");
    long retentionMillis = notNegative("retentionPeriod", retentionPeriod);
    long windowMillis = notNegative("windowSize", windowSize);
    if (windowMillis > retentionMillis) {
      throw new IllegalArgumentException(
          "The retention period of the window store "
              + name
              + " must be no smaller than its window size. Got size=["
              + windowMillis
              + "], retention=["
              + retentionMillis
              + "]");
    }
    return new WindowSupplier(
        name,
        windowMillis,
        retentionMillis,
        Math.max(retentionMillis / 2, SEGMENT_MILLIS_MIN),
        retainDuplicates,
        timestamped,
        emittedOnClose);
  }

  /** Returns a segment interval that leaves at most some two dozen segments, as Kafka's does. */
  private static long segmentMillisOf(long historyRetentionMillis) {
    if (historyRetentionMillis <= 60_000) {
      return Math.max(historyRetentionMillis / 3, 2_000);
    }
    if (historyRetentionMillis <= 300_000) {
      return Math.max(historyRetentionMillis / 5, 20_000);
    }
    if (historyRetentionMillis <= 3_600_000) {
      return Math.max(historyRetentionMillis / 12, 60_000);
    }
    return Math.max(historyRetentionMillis / 24, 300_000);
  }

  private static long notNegative(String name, Duration duration) {
    if (duration == null) {
      throw new IllegalArgumentException(name + " cannot be null");
    }
    long millis;
    try {
      millis = duration.toMillis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(name + " is too long to be counted in milliseconds", e);
    }
    if (millis < 0) {
      throw new IllegalArgumentException(name + " cannot be negative");
    }
    return millis;
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples;

import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.WriteBatch;
import io.accordiondb.typed.Codecs;
import io.accordiondb.typed.Tuple2Codec;
import io.accordiondb.typed.TypedIterator;
import io.accordiondb.typed.TypedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A time series: readings of sensors that expire after a day. Keys are a sensor and a time, the
 * newest first, so the latest readings of a sensor lie together and are found by one seek.
 */
public final class TimeSeries {
  /** How long a reading is kept. */
  public static final Duration KEPT = Duration.ofDays(1);

  private static final Tuple2Codec<Reading, String, Instant> KEYS =
      Codecs.tuple(
          Codecs.STRING, Reading::sensor, Codecs.INSTANT.descending(), Reading::at, Reading::new);

  /**
   * The key of a reading.
   *
   * @param sensor what was read
   * @param at when
   */
  public record Reading(String sensor, Instant at) {}

  private final Database database;
  private final TypedStore<Reading, Double> readings;

  /** Creates the store if it does not exist, with a time to live. */
  public TimeSeries(Database database) throws IOException {
    this.database = database;
    FamilyDescriptor options =
        FamilyDescriptor.builder(KeyValueStore.FAMILY).ttlMillis(KEPT.toMillis()).build();
    readings = TypedStore.of(database.keyValueStore("readings", options), KEYS, Codecs.DOUBLE);
  }

  /** Writes what all sensors have read at one time, as one batch. */
  public void record(Instant at, Map<String, Double> values) throws IOException {
    WriteBatch batch = new WriteBatch();
    for (Map.Entry<String, Double> value : values.entrySet()) {
      readings.addPut(batch, new Reading(value.getKey(), at), value.getValue());
    }
    database.write(batch);
  }

  /** Returns the mean of what a sensor has read since some time; empty if it has read nothing. */
  public OptionalDouble mean(String sensor, Instant since) throws IOException {
    double sum = 0;
    int count = 0;
    try (TypedIterator<Reading, Double> newest = readings.prefix(KEYS.prefix(sensor))) {
      while (newest.hasNext()) {
        Map.Entry<Reading, Double> reading = newest.next();
        if (reading.getKey().at().isBefore(since)) {
          break;
        }
        sum += reading.getValue();
        count++;
      }
    }
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
  }

  /** Writes an hour of readings of two sensors, and prints the mean of the last ten minutes. */
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of(arguments[0]))) {
      TimeSeries series = new TimeSeries(database);
      Instant now = Instant.now();
      for (int minute = 60; minute >= 0; minute--) {
        Map<String, Double> values = new TreeMap<>();
        values.put("kitchen", 20.0 + minute % 3);
        values.put("cellar", 12.0);
        series.record(now.minus(Duration.ofMinutes(minute)), values);
      }
      Instant since = now.minus(Duration.ofMinutes(10));
      System.out.println("kitchen: " + series.mean("kitchen", since).orElseThrow());
      System.out.println("cellar:  " + series.mean("cellar", since).orElseThrow());
    }
  }
}

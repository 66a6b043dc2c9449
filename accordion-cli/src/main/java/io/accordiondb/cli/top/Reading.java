// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one database at one moment.
 *
 * @param database its name: its folder, and a number if the process has it open more than once
 * @param folder its folder
 * @param nanos the moment, by {@link System#nanoTime}
 * @param values its attributes by name, in the order of its bean; null where there is none yet
 * @param stores its stores, each with its columns by name
 */
public record Reading(
    String database,
    String folder,
    long nanos,
    Map<String, @Nullable Object> values,
    List<Map<String, Object>> stores) {

  /** Returns whether the database is that of a folder, which may be named in another way. */
  public boolean isOf(Path other) {
    return isSame(folder, other);
  }

  /** Returns whether the folder of a database is the same as another one. */
  public static boolean isSame(String folder, Path other) {
    try {
      return Path.of(folder).toRealPath().equals(other.toRealPath());
    } catch (IOException e) {
      return Path.of(folder).toAbsolutePath().equals(other.toAbsolutePath());
    }
  }

  /** Returns a whole number; 0 if the process has no such figure. */
  public long whole(String name) {
    return values.get(name) instanceof Number number ? number.longValue() : 0;
  }

  /** Returns a number; 0 if the process has no such figure. */
  public double real(String name) {
    return values.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  /** Returns a text; empty if there is none. */
  public String text(String name) {
    Object value = values.get(name);
    return value == null ? "" : value.toString();
  }

  /** Returns the sum of all numbers whose names begin and end so. */
  public long sum(String prefix, String suffix) {
    return values.keySet().stream()
        .filter(name -> name.startsWith(prefix) && name.endsWith(suffix))
        .mapToLong(this::whole)
        .sum();
  }

  /** Returns by how much a sum of numbers has grown in a second since an earlier reading. */
  public double rate(Reading earlier, String prefix, String suffix) {
    double seconds = (nanos - earlier.nanos) / 1e9;
    return seconds <= 0
        ? 0
        : Math.max(0, sum(prefix, suffix) - earlier.sum(prefix, suffix)) / seconds;
  }
}

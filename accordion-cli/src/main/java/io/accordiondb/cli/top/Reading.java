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
 * @param database its name, which is its folder
 * @param nanos the moment, by {@link System#nanoTime}
 * @param values its attributes by name, in the order of its bean; null where there is none yet
 * @param stores its stores, each with its columns by name
 */
public record Reading(
    String database,
    long nanos,
    Map<String, @Nullable Object> values,
    List<Map<String, Object>> stores) {

  /** Returns whether the database is that of a folder, which may be named in another way. */
  public boolean isOf(Path folder) {
    return isSame(database, folder);
  }

  /** Returns whether the name of a database, which is its folder, names the same as a path. */
  public static boolean isSame(String database, Path folder) {
    try {
      return Path.of(database).toRealPath().equals(folder.toRealPath());
    } catch (IOException e) {
      return Path.of(database).toAbsolutePath().equals(folder.toAbsolutePath());
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

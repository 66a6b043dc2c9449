// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;

/** The workloads that come with the binding: YCSB's own, and those of the paper. */
public final class Workloads {
  /** The names of all workloads. */
  public static final List<String> NAMES =
      List.of(
          "workloada",
          "workloadb",
          "workloadc",
          "workloadd",
          "workloade",
          "workloadf",
          "paper-write-only",
          "paper-write-only-uniform",
          "paper-read-write",
          "paper-read-write-uniform",
          "paper-scan-write",
          "paper-scan-write-uniform");

  private Workloads() {}

  /**
   * Returns the properties of a workload.
   *
   * @param name one of {@link #NAMES}
   * @return the properties; the caller may change them
   * @throws IOException if the resource cannot be read
   * @throws IllegalArgumentException if there is none of this name; the message says which are
   */
  public static Properties of(String name) throws IOException {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "no file and no workload named \"" + name + "\"; there are " + String.join(", ", NAMES));
    }
    try (InputStream stream = Workloads.class.getResourceAsStream("workloads/" + name)) {
      if (stream == null) {
        throw new IllegalStateException("the workload " + name + " is missing in the jar");
      }
      Properties properties = new Properties();
      properties.load(stream);
      return properties;
    }
  }
}

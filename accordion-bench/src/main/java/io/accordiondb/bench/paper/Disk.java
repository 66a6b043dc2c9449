// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.disk.SimulatedDisk;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The disk that holds a store. */
public enum Disk {
  /** The disk of this machine. */
  NONE("this disk", null),
  /** A simulated SSD: 500 MB a second, 0.1 ms to seek. */
  SSD("simulated SSD", new SimulatedDisk(500_000_000, Duration.ofNanos(100_000))),
  /** A simulated hard disk: 120 MB a second, 8 ms to seek. */
  HDD("simulated HDD", new SimulatedDisk(120_000_000, Duration.ofMillis(8)));

  private final String label;
  private final @Nullable SimulatedDisk simulation;

  Disk(String label, @Nullable SimulatedDisk simulation) {
    this.label = label;
    this.simulation = simulation;
  }

  /** Returns the name for tables. */
  public String label() {
    return label;
  }

  /** Returns the disk to simulate, null for none. */
  public @Nullable SimulatedDisk simulation() {
    return simulation;
  }
}

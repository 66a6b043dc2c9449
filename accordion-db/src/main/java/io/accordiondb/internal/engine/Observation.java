// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.jmx.BeanRegistration;
import io.accordiondb.internal.metrics.Telemetry;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Publishes the statistics of an open database through JMX and JFR. */
final class Observation implements Closeable {
  private final Supplier<EngineParts> parts;
  private final Supplier<List<ReadPoints>> readPoints;
  private final Telemetry telemetry;
  private final AmplificationWindow window = new AmplificationWindow();
  private final Closeable bean;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Begins to publish.
   *
   * @param parts supplies the present parts of the database
   * @param readPoints supplies the read points of these, and of earlier ones that are still read
   * @param checked returns the statistics, or throws if the database is closed
   */
  Observation(
      Supplier<EngineParts> parts,
      Supplier<List<ReadPoints>> readPoints,
      IoSupplier<DatabaseStatistics> checked) {
    this.parts = parts;
    this.readPoints = readPoints;
    this.telemetry = parts.get().telemetry();
    telemetry.observe(() -> collector().cache(), () -> collector().look());
    this.bean =
        parts.get().options().get().jmx()
            ? BeanRegistration.register(parts.get().tables().folder(), checked)
            : () -> {};
  }

  private StatisticsCollector collector() {
    return new StatisticsCollector(parts.get(), readPoints, window);
  }

  DatabaseStatistics statistics() {
    return collector().collect();
  }

  /** Stops publishing. Called after everything else is closed. */
  @Override
  public void close() throws IOException {
    if (!closed.getAndSet(true)) {
      try (bean) {
        telemetry.close();
      }
    }
  }
}

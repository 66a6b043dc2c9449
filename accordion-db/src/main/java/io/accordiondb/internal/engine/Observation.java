// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.jmx.BeanRegistration;
import io.accordiondb.internal.metrics.Telemetry;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Publishes the statistics of an open database through JMX and JFR. */
final class Observation implements Closeable {
  private final Supplier<EngineParts> parts;
  private final Telemetry telemetry;
  private final AmplificationWindow window = new AmplificationWindow();
  private final Closeable bean;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Begins to publish.
   *
   * @param parts supplies the present parts of the database
   * @param checked returns the statistics, or throws if the database is closed
   */
  Observation(Supplier<EngineParts> parts, IoSupplier<DatabaseStatistics> checked) {
    this.parts = parts;
    this.telemetry = parts.get().telemetry();
    telemetry.observe(() -> collector().cache(), () -> collector().look());
    this.bean =
        parts.get().options().get().jmx()
            ? BeanRegistration.register(parts.get().tables().folder(), checked)
            : () -> {};
  }

  private StatisticsCollector collector() {
    return new StatisticsCollector(parts.get(), window);
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

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.util.function.LongSupplier;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.UniformLongGenerator;

/** The distribution of keys, by YCSB's own generators. */
public enum Distribution {
  /** YCSB's scrambled Zipf distribution, theta 0.99. */
  ZIPFIAN,
  /** Each key as likely as any other. */
  UNIFORM,
  /** One after another, and again from the first. */
  SEQUENTIAL;

  /** Returns a source of record numbers from 0 to {@code records} - 1, for one thread. */
  public LongSupplier records(long records) {
    return switch (this) {
      case ZIPFIAN -> {
        ScrambledZipfianGenerator generator = new ScrambledZipfianGenerator(0, records - 1);
        yield () -> generator.nextValue();
      }
      case UNIFORM -> {
        UniformLongGenerator generator = new UniformLongGenerator(0, records - 1);
        yield () -> generator.nextValue();
      }
      case SEQUENTIAL -> {
        CounterGenerator generator = new CounterGenerator(0);
        yield () -> generator.nextValue() % records;
      }
    };
  }
}

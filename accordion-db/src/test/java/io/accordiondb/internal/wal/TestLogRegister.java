// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.manifest.NumberSource;
import io.accordiondb.internal.record.RecordMark;
import java.io.IOException;
import java.util.Collection;

/** Numbers log files, and records nothing. */
public final class TestLogRegister implements LogRegister {
  private final NumberSource numbers;

  /** Creates a register. */
  public TestLogRegister(NumberSource numbers) {
    this.numbers = numbers;
  }

  @Override
  public long nextNumber() throws IOException {
    return numbers.next();
  }

  @Override
  public void begin(Collection<KnownLog> kept, Collection<Long> leftOut) {}

  @Override
  public void add(KnownLog file) {}

  @Override
  public void remove(Collection<Long> fileNumbers) {}

  @Override
  public RecordMark mark() {
    return RecordMark.NONE;
  }

  @Override
  public void rolled() {}
}

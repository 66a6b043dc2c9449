// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedByFolderTest {
  private final SharedByFolder<Closeable> folders = new SharedByFolder<>();
  private final AtomicInteger closings = new AtomicInteger();

  @Test
  void aLeaseThatIsClosedTwiceEndsNoOther() throws IOException {
    SharedByFolder<Closeable>.Lease one = enter();
    SharedByFolder<Closeable>.Lease other = enter();
    assertThat(other.value()).isSameAs(one.value());
    one.close();
    one.close();
    assertThat(closings).hasValue(0);
    other.close();
    other.close();
    assertThat(closings).hasValue(1);
  }

  private SharedByFolder<Closeable>.Lease enter() throws IOException {
    return folders.enter(Path.of("folder"), path -> closings::incrementAndGet);
  }
}

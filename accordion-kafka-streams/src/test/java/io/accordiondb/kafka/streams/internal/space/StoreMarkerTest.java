// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that names the incarnation of a store. */
class StoreMarkerTest {
  @TempDir Path taskFolder;

  /** The database writes with a thread that is interrupted; the file cannot be written. */
  private static void failToWrite(StoreMarker marker) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> marker.write("failed")).isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** A store that had no incarnation begins with what another kind of store has kept. */
  @Test
  void aFileThatCouldNotBeWrittenDoesNotExist() throws IOException {
    StoreMarker marker = new StoreMarker(taskFolder, "store");
    failToWrite(marker);
    assertThat(marker.exists()).isFalse();
    assertThat(marker.read()).isNull();
    marker.write("first");
    assertThat(marker.read()).isEqualTo("first");
  }

  @Test
  void aFileThatCouldNotBeReplacedStays() throws IOException {
    StoreMarker marker = new StoreMarker(taskFolder, "store");
    marker.write("first");
    failToWrite(marker);
    assertThat(marker.read()).isEqualTo("first");
    marker.invalidate();
    assertThat(marker.read()).isEmpty();
    assertThat(marker.exists()).isTrue();
  }
}

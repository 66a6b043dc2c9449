// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static io.accordiondb.internal.storage.FaultyStorage.Operation.APPEND;
import static io.accordiondb.internal.storage.FaultyStorage.Operation.LOOK;
import static io.accordiondb.internal.storage.FaultyStorage.Operation.SYNC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultyStorageTest extends StorageContract {
  private final MemoryStorage disk = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(disk);

  @Override
  Storage newStorage() {
    return storage;
  }

  @Test
  void oneOperationFails() throws IOException {
    try (StorageWriter writer = storage.create("f")) {
      storage.failOnce(Set.of(SYNC, APPEND), 2);
      writer.append(ByteBuffer.allocate(4));
      assertThatThrownBy(writer::sync).isInstanceOf(InjectedFault.class);
      writer.sync();
      assertThat(storage.count()).isEqualTo(3);
    }
  }

  @Test
  void allOperationsFailFromOneOn() throws IOException {
    try (StorageWriter writer = storage.create("f")) {
      storage.failForEver(Set.of(SYNC), 2);
      writer.sync();
      assertThatThrownBy(writer::sync).isInstanceOf(InjectedFault.class);
      assertThatThrownBy(writer::sync).isInstanceOf(InjectedFault.class);
      writer.append(ByteBuffer.allocate(4));
      storage.count(Set.of(LOOK));
      writer.sync();
      assertThat(storage.count()).isZero();
    }
  }

  @Test
  void failingAppendHasWrittenAPart() throws IOException {
    try (StorageWriter writer = storage.create("f")) {
      storage.failForEver(Set.of(APPEND), 1);
      assertThatThrownBy(() -> writer.append(ByteBuffer.allocate(10)))
          .isInstanceOf(InjectedFault.class);
    }
    assertThat(disk.size("f")).isEqualTo(5);
  }
}

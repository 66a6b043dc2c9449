// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is visible of writes while they are collected. */
class SpaceBatchTest {
  private static final byte[] ONE = {1};
  private static final byte[] OTHER = {2};

  /** Half of what the database takes at once, with the budget of these tests. */
  private static final int HALF_BYTES = 3 << 20;

  @TempDir Path folder;

  private TaskStore store;

  @BeforeEach
  void open() {
    store = TestStores.open(folder.resolve("application").resolve("0_0"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void allOfABatchIsVisibleAtOnce() {
    SpaceBatch batch = store.batch();
    batch.put(store.main(), ONE, new byte[HALF_BYTES - 1000]);
    batch.put(store.segment(1), OTHER, new byte[HALF_BYTES - 1000]);
    assertThat(store.get(store.main(), ONE)).isNull();
    batch.commit();
    assertThat(store.get(store.main(), ONE)).isNotNull();
    assertThat(store.get(store.segment(1), OTHER)).isNotNull();
  }

  @Test
  void batchMayBeLargerThanWhatTheDatabaseTakesAtOnce() {
    SpaceBatch batch = store.batch();
    batch.put(store.main(), ONE, new byte[HALF_BYTES + 1000]);
    batch.put(store.main(), OTHER, new byte[HALF_BYTES + 1000]);
    batch.commit();
    assertThat(store.get(store.main(), ONE)).isNotNull();
    assertThat(store.get(store.main(), OTHER)).isNotNull();
  }

  @Test
  void partsBecomeVisibleOneAfterAnother() {
    SpaceBatch parts = store.parts();
    parts.put(store.main(), ONE, new byte[HALF_BYTES]);
    parts.put(store.main(), OTHER, new byte[] {2});
    assertThat(store.get(store.main(), ONE)).isNotNull();
    assertThat(store.get(store.main(), OTHER)).isNull();
    parts.commit();
    assertThat(store.get(store.main(), OTHER)).isNotNull();
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import io.accordiondb.kafka.streams.internal.store.VersionedBytes;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.query.FailureReason;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interactive queries of a versioned store. */
class VersionedReadersTest {
  private static final String STORE = "store";
  private static final long RETENTION = 1_000_000;
  private static final long SEGMENT = 1_000;
  private static final int KEYS = 500;
  private static final int ROUNDS = 200;

  @TempDir Path folder;

  @Test
  void versionIsFoundWhileItIsMovedToAnotherSegment() throws Exception {
    VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
    open(store);
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), new byte[] {1}, 0);
      store.put(key(i), new byte[] {2}, 20 * SEGMENT);
    }
    AtomicInteger moving = new AtomicInteger();
    TestThread writer =
        TestThread.start(
            "writer",
            () -> {
              for (; moving.get() < KEYS; moving.incrementAndGet()) {
                // Each of these ends the first version earlier, in an older segment.
                for (int segment = 19; segment > 0; segment--) {
                  store.put(key(moving.get()), new byte[] {3}, segment * SEGMENT);
                }
              }
            });
    for (int key = moving.get(); key < KEYS; key = moving.get()) {
      assertThat(store.get(key(key), 1)).as("key " + key).isNotNull();
    }
    writer.join();
    store.close();
  }

  @Test
  void versionIsFoundWhileItIsMovedToASegmentThatIsNew() throws Exception {
    VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
    open(store);
    for (int round = 0; round < ROUNDS; round++) {
      long begin = round * 30 * SEGMENT;
      Bytes key = key(round);
      store.put(key, new byte[] {1}, begin);
      store.put(key, new byte[] {2}, begin + 20 * SEGMENT);
      TestThread writer =
          TestThread.start(
              "writer",
              () -> {
                for (int segment = 19; segment > 0; segment--) {
                  store.put(key, new byte[] {3}, begin + segment * SEGMENT);
                }
              });
      do {
        assertThat(store.get(key, begin + 1)).as("round %d", round).isNotNull();
      } while (writer.isRunning());
      writer.join();
    }
    store.close();
  }

  @Test
  void anyWriteDropsVersionsThatHaveExpired() {
    VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
    open(store);
    store.put(key(0), new byte[] {1}, 0);
    store.put(key(0), new byte[] {2}, 1);
    store.put(key(1), new byte[] {3}, 3 * RETENTION);
    try (VersionedRecordIterator<byte[]> versions = versions(store).getResult()) {
      assertThat(versions.next().value()).containsExactly(2);
      assertThat(versions.hasNext()).isFalse();
    }
    store.close();
  }

  @Test
  void closedStoreAnswersThatItCannot() {
    VersionedBytes store = new VersionedBytes(STORE, RETENTION, SEGMENT);
    open(store);
    store.close();
    QueryResult<VersionedRecordIterator<byte[]>> result = versions(store);
    assertThat(result.isFailure()).isTrue();
    assertThat(result.getFailureReason()).isEqualTo(FailureReason.STORE_EXCEPTION);
    assertThat(result.getFailureMessage()).contains("currently closed");
  }

  private static QueryResult<VersionedRecordIterator<byte[]>> versions(VersionedBytes store) {
    return store.query(
        MultiVersionedKeyQuery.<Bytes, byte[]>withKey(key(0)).withAscendingTimestamps(),
        PositionBound.unbounded(),
        new QueryConfig(false));
  }

  private void open(VersionedBytes store) {
    store.init(StoreContexts.of(folder.resolve("application").resolve("0_0")), store);
  }

  private static Bytes key(int number) {
    return Bytes.wrap(("key" + number).getBytes(UTF_8));
  }
}

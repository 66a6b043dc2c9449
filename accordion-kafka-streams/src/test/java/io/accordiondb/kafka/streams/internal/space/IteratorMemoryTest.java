// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Iterators that stay open while much is written. */
@Tag("slow")
class IteratorMemoryTest {
  private static final int WRITES = 80_000;
  private static final int WRITES_PER_ITERATOR = 2_000;
  private static final int ITERATORS = 20;
  private static final int VALUE_BYTES = 200;

  @TempDir Path folder;

  /** An iterator and the keys that it must return, in the order of the store. */
  private record Open(
      KeyValueIterator<Bytes, byte[]> iterator, boolean forward, TreeSet<Bytes> expected) {}

  @Test
  void openIteratorsDoNotStopWrites() {
    TaskStore store = TestStores.open(folder.resolve("application").resolve("0_0"));
    Random random = new Random(7);
    TreeSet<Bytes> written = new TreeSet<>();
    List<Open> iterators = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      Bytes key = Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(random.nextLong()).array());
      store.put(store.main(), key.get(), value(key));
      written.add(key);
      if (i % WRITES_PER_ITERATOR == 0 && iterators.size() < ITERATORS) {
        iterators.add(begin(store, iterators.size(), written));
      }
    }
    iterators.forEach(IteratorMemoryTest::end);
    store.close();
  }

  /** Opens an iterator; some are moved, and some of these know that there is a next key. */
  private static Open begin(TaskStore store, int number, TreeSet<Bytes> written) {
    boolean forward = number % 2 == 0;
    KeyRange all = store.main().range(null, null);
    TreeSet<Bytes> expected = new TreeSet<>(written);
    KeyValueIterator<Bytes, byte[]> iterator = store.iterator(all, forward);
    if (number % 5 > 0) {
      Bytes first = iterator.next().key;
      assertThat(first).isEqualTo(forward ? expected.pollFirst() : expected.pollLast());
    }
    if (number % 3 > 0 && !expected.isEmpty()) {
      assertThat(iterator.peekNextKey()).isEqualTo(forward ? expected.first() : expected.last());
    }
    return new Open(iterator, forward, expected);
  }

  private static void end(Open open) {
    Bytes last = null;
    while (open.iterator().hasNext()) {
      KeyValue<Bytes, byte[]> entry = open.iterator().next();
      assertThat(entry.value).isEqualTo(value(entry.key));
      if (last != null) {
        assertThat(entry.key.compareTo(last) > 0).isEqualTo(open.forward());
      }
      last = entry.key;
      open.expected().remove(last);
    }
    assertThat(open.expected()).isEmpty();
    open.iterator().close();
  }

  private static byte[] value(Bytes key) {
    return ByteBuffer.allocate(VALUE_BYTES).put(key.get()).array();
  }
}

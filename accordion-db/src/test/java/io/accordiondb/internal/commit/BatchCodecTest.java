// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.ThreadAllocation;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.region.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Batches as they are logged: round trips, and bytes that are no batch. */
class BatchCodecTest {
  private static final List<Store> STORES =
      List.of(TestStores.store(1, 1), TestStores.store(1, 2), TestStores.store(9L << 40, 77));

  @Test
  void cellsComeBackByStoreWithTheirNumbers() throws MalformedBatchException {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 300; round++) {
      Map<Store, List<String>> expected = new HashMap<>();
      BatchBuilder builder = new BatchBuilder(random.nextInt(100), 1 << 20);
      int cells = 1 + random.nextInt(40);
      long contentBytes = 0;
      for (int i = 0; i < cells; i++) {
        Store store = STORES.get(random.nextInt(STORES.size()));
        byte[] row = someBytes(random, 1, 40);
        byte[] qualifier = someBytes(random, 0, 9);
        byte[] value = someBytes(random, 0, 300);
        contentBytes += row.length + qualifier.length + value.length;
        builder.addRow(row);
        boolean expires = round % 2 == 0 && random.nextInt(4) == 0;
        long ttlMillis = expires ? random.nextLong(1, 1L << 50) : CellTags.FOREVER;
        builder.add(store, row, qualifier, i, CellType.PUT, value, CellTags.ofTtl(ttlMillis));
        expected
            .computeIfAbsent(store, key -> new ArrayList<>())
            .add(text(row, i, value, ttlMillis));
      }
      Batch batch = builder.build(random.nextBoolean() ? Compression.NONE : Compression.LZ4);

      assertThat(batch.cellCount()).isEqualTo(cells);
      assertThat(batch.contentBytes()).isEqualTo(contentBytes);
      assertThat(copyOf(batch).contentBytes()).isEqualTo(contentBytes);
      assertThat(batch.rowHashes()).hasSize(cells);
      CRC32C crc = new CRC32C();
      crc.update(batch.logged().duplicate());
      assertThat(batch.loggedCrc()).isEqualTo((int) crc.getValue());
      assertThat(read(batch.logged(), cells)).isEqualTo(byName(expected));
    }
  }

  @Test
  void lz4IsLoadedForCompressedBatchesOnly() throws Exception {
    List<String> options = List.of("-verbose:class");
    assertThat(outputOf(javaProcess(options, Postponing.class, Compression.NONE)))
        .contains(Batch.class.getName())
        .doesNotContain("net.jpountz");
    assertThat(outputOf(javaProcess(options, Postponing.class, Compression.LZ4)))
        .contains("net.jpountz");
  }

  /** A process that builds, postpones and reads a batch of a given compression. */
  static final class Postponing {
    private Postponing() {}

    public static void main(String[] args) throws MalformedBatchException {
      BatchBuilder builder = new BatchBuilder(1, 1 << 20);
      byte[] row = new byte[1];
      builder.addRow(row);
      builder.add(STORES.get(0), row, row, 1, CellType.PUT, new byte[1000], CellTags.NONE);
      read(builder.build(Compression.valueOf(args[0])).postponedTo(2).logged(), 1);
    }
  }

  @Test
  void aLaterTimeReplacesThatOfTheCellsWithoutATimestamp() throws MalformedBatchException {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 100; round++) {
      Map<Store, List<String>> expected = new HashMap<>();
      BatchBuilder builder = new BatchBuilder(16, 1 << 20);
      int cells = 1 + random.nextInt(20);
      for (int i = 0; i < cells; i++) {
        Store store = STORES.get(random.nextInt(STORES.size()));
        byte[] row = someBytes(random, 1, 40);
        long ttlMillis = round % 2 == 0 && random.nextInt(4) == 0 ? 9 : CellTags.FOREVER;
        long timestamp = random.nextBoolean() ? 50 : random.nextInt(50);
        byte[] value = new byte[random.nextInt(300)];
        builder.addRow(row);
        builder.add(
            store, row, new byte[1], timestamp, CellType.PUT, value, CellTags.ofTtl(ttlMillis));
        expected
            .computeIfAbsent(store, key -> new ArrayList<>())
            .add(text(row, timestamp == 50 ? 70 : timestamp, value, ttlMillis));
      }
      Batch batch =
          builder.build(random.nextBoolean() ? Compression.NONE : Compression.LZ4, 50, true);
      Batch postponed = batch.postponedTo(70);

      assertThat(postponed.timeMillis()).isEqualTo(70);
      CRC32C crc = new CRC32C();
      crc.update(postponed.logged().duplicate());
      assertThat(postponed.loggedCrc()).isEqualTo((int) crc.getValue());
      assertThat(read(postponed.logged(), cells)).isEqualTo(byName(expected));
      assertThat(read(postponed.payload(), cells)).isEqualTo(byName(expected));
    }
  }

  /** Range tombstones are kept apart from puts, so a batch that mixes them has many parts. */
  @Test
  void aBatchOfManyPartsTakesNoMoreHeapThanItsCellsNeed() throws Throwable {
    int parts = 400;
    int bytesExpected = 1 << 20;
    byte[] row = new byte[16];

    long bytes =
        ThreadAllocation.bytesOf(
            () -> {
              BatchBuilder builder = new BatchBuilder(bytesExpected, 64 << 20);
              for (int i = 0; i < parts; i++) {
                CellType type = i % 2 == 0 ? CellType.DELETE_RANGE : CellType.PUT;
                builder.add(STORES.get(0), row, new byte[0], 1, type, row, CellTags.NONE);
              }
              assertThat(builder.build(Compression.NONE).groups()).hasSize(parts);
            });

    assertThat(bytes).isLessThan(3L * bytesExpected);
  }

  /** Returns a batch of the same cells in one store, which are added as they are encoded. */
  private static Batch copyOf(Batch batch) {
    BatchBuilder builder = new BatchBuilder(16, 1 << 20);
    for (StoreCells group : batch.groups()) {
      BatchFormat format = group.format();
      int at = group.offset();
      for (int i = 0; i < group.cellCount(); i++) {
        builder.addEncoded(STORES.get(0), format, batch.payload(), at);
        at += format.step(batch.payload(), at);
      }
    }
    return builder.build(Compression.NONE);
  }

  @Test
  void aBatchOfAnotherCountIsMalformed() {
    Batch batch = TestStores.batch("row", STORES.get(0), STORES.get(1));
    for (int count : new int[] {-1, 0, 1, 3, Integer.MAX_VALUE}) {
      assertMalformed(batch.payload(), count);
    }
  }

  @Test
  void noBitAndNoLengthLeadsOutOfTheBytes() {
    Batch batch = TestStores.batch("row", STORES.get(0), STORES.get(2));
    byte[] sound = new byte[batch.payload().limit()];
    batch.payload().get(0, sound);
    for (int bit = 0; bit < 8 * sound.length; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      readOrRefuse(damaged, batch.cellCount());
    }
    for (int length = 0; length < sound.length; length++) {
      assertMalformed(ByteBuffer.wrap(Arrays.copyOf(sound, length)), batch.cellCount());
      assertMalformed(
          ByteBuffer.wrap(Arrays.copyOf(sound, sound.length + 1 + length)), batch.cellCount());
    }
  }

  @Test
  void anyBytesAreReadOrRefused() {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = someBytes(random, 0, 120);
      if (bytes.length >= Integer.BYTES && random.nextBoolean()) {
        // Else hardly any gets behind the number of groups.
        ByteBuffer.wrap(bytes).putInt(0, 1 + random.nextInt(3));
      }
      if (bytes.length > 40 && random.nextBoolean()) {
        ByteBuffer.wrap(bytes).putInt(16, random.nextInt(4)).putInt(20, bytes.length - 24);
      }
      readOrRefuse(bytes, random.nextInt(4));
    }
  }

  private static void readOrRefuse(byte[] bytes, int cells) {
    try {
      read(ByteBuffer.wrap(bytes), cells);
    } catch (MalformedBatchException e) {
      assertThat(e.offset()).isNotNegative();
    }
  }

  private static void assertMalformed(ByteBuffer payload, int cells) {
    assertThatThrownBy(() -> BatchReader.read(payload, 1, cells))
        .isInstanceOf(MalformedBatchException.class);
  }

  /** Returns the cells of each store, after checking their numbers. */
  private static Map<String, List<String>> read(ByteBuffer payload, int cells)
      throws MalformedBatchException {
    Map<String, List<String>> found = new HashMap<>();
    long next = 100;
    for (LoggedGroup group : BatchReader.read(payload, 100, cells)) {
      assertThat(group.firstSequence()).isEqualTo(next);
      next += group.cellCount();
      ByteBuffer buffer = group.batch();
      int at = group.offset();
      for (int i = 0; i < group.cellCount(); i++) {
        byte[] row = new byte[KeyValueLayout.rowLength(buffer, at)];
        buffer.get(KeyValueLayout.rowOffset(at), row);
        byte[] value = new byte[KeyValueLayout.valueLength(buffer, at)];
        buffer.get(KeyValueLayout.valueOffset(buffer, at), value);
        found
            .computeIfAbsent(group.store().toString(), key -> new ArrayList<>())
            .add(
                text(
                    row,
                    KeyValueLayout.timestamp(buffer, at),
                    value,
                    CellTags.ttlMillis(buffer, at, group.format().length(buffer, at))));
        at += group.format().step(buffer, at);
      }
    }
    return found;
  }

  private static Map<String, List<String>> byName(Map<Store, List<String>> cells) {
    Map<String, List<String>> named = new HashMap<>();
    cells.forEach((store, texts) -> named.put(store.id().toString(), texts));
    return named;
  }

  private static String text(byte[] row, long timestamp, byte[] value, long ttlMillis) {
    return Arrays.toString(row) + timestamp + Arrays.toString(value) + ttlMillis;
  }

  private static byte[] someBytes(SplittableRandom random, int lengthMin, int lengthMax) {
    byte[] bytes = new byte[random.nextInt(lengthMin, lengthMax + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }
}

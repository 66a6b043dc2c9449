// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A cache against a map of all that was given to it: it may hold less, but nothing else. */
public class BlockCacheModelTest {
  private static final int OPERATIONS = 3_000;
  private static final int FILES = 4;
  private static final int OFFSETS = 200;

  /** Some of the blocks are longer than an eighth of it. */
  private static final int SLAB_BYTES = 32 << 10;

  /** A block of a file, which has the same payload whenever it is read from there. */
  private record Place(CachedFile file, int offset) {}

  @Property(tries = 100)
  void holdsWhatItWasGivenAndKeepsToItsBudget(
      @ForAll @IntRange(min = 0, max = 600_000) int capacity,
      @ForAll @IntRange(min = 1, max = 9_000) int blockBytes,
      @ForAll long seed) {
    check(capacity, blockBytes, seed);
  }

  /** Lets the cache have memory that others have left, now and then. */
  private static void lendSpareMemory(DirectMemory direct, SplittableRandom random) {
    int bytes = SLAB_BYTES >> random.nextInt(6);
    SplittableRandom lent = random.split();
    direct.setSpare(bytes, () -> lent.nextBoolean() ? ByteBuffer.allocateDirect(bytes) : null);
  }

  /** Lets a cache live for a while. */
  public static void check(int firstCapacity, int blockBytes, long seed) {
    int capacity = firstCapacity;
    SplittableRandom random = new SplittableRandom(seed);
    BlockCache cache =
        random.nextBoolean()
            ? new BlockCache(capacity)
            : new BlockCache(new CacheSizes(capacity, SLAB_BYTES >> random.nextInt(4), SLAB_BYTES));
    lendSpareMemory(cache.directMemory(), random);
    List<CachedFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(cache.newFile());
    }
    Map<Place, byte[]> given = new HashMap<>();
    long charged = 0;
    BlockBuffer buffer = new BlockBuffer();
    Map<CachedBlock, byte[]> pinned = new HashMap<>();
    for (int i = 0; i < OPERATIONS; i++) {
      int chosen = random.nextInt(FILES);
      CachedFile file = files.get(chosen);
      int offset = random.nextInt(random.nextBoolean() ? OFFSETS : OFFSETS / 10);
      Place place = new Place(file, offset);
      if (random.nextInt(300) == 0) {
        capacity = random.nextInt(600_000);
        cache.resize(capacity);
      }
      switch (random.nextInt(20)) {
        case 0 -> {
          cache.drop(file);
          given.keySet().removeIf(other -> other.file() == file);
          files.set(chosen, cache.newFile());
        }
        case 1 -> {
          long bytes = random.nextInt(capacity / 10 + 1);
          charged += cache.tryCharge(bytes) ? bytes : 0;
        }
        case 2 -> {
          cache.charge(-charged);
          charged = 0;
        }
        case 3 -> {
          CachedBlock block = pinned.isEmpty() ? null : pinned.keySet().iterator().next();
          if (block != null) {
            checkPinned(block, pinned.remove(block));
            block.unpin();
          }
        }
        case 4, 5, 6 ->
            cache.put(file, offset, ByteBuffer.wrap(payload(given, place, random, blockBytes)));
        case 7, 8, 9 ->
            cache.offer(file, offset, ByteBuffer.wrap(payload(given, place, random, blockBytes)));
        case 10 -> fill(cache, place, payload(given, place, random, blockBytes), random);
        case 11, 12 -> {
          CachedBlock block = cache.pin(BlockKind.DATA, file, offset);
          if (block != null && pinned.putIfAbsent(block, given.get(place)) != null) {
            block.unpin();
          }
        }
        default -> {
          if (cache.read(BlockKind.DATA, file, offset, buffer)) {
            assertThat(buffer.payload()).isEqualTo(ByteBuffer.wrap(given.get(place)));
          }
        }
      }
      assertThat(cache.takenBytes()).isLessThanOrEqualTo(Math.max(charged, capacity));
      assertThat(cache.stats().usedBytes()).isBetween(charged, cache.takenBytes());
      pinned.forEach(BlockCacheModelTest::checkPinned);
      assertThat(cache.pins()).isLessThanOrEqualTo(pinned.size());
    }
    pinned.keySet().forEach(CachedBlock::unpin);
    assertThat(cache.pins()).isZero();
  }

  /** Reads a block into its place, which sometimes fails. */
  private static void fill(BlockCache cache, Place place, byte[] payload, SplittableRandom random) {
    CachedBlock block = cache.offer(place.file(), place.offset(), payload.length);
    if (block == null) {
      return;
    }
    block.memory().put(block.start(), payload, 0, payload.length / 2);
    if (random.nextInt(4) == 0) {
      block.abandon();
    } else {
      block.memory().put(block.start(), payload);
      block.openPinned();
      checkPinned(block, payload);
      block.unpin();
    }
  }

  private static void checkPinned(CachedBlock block, byte[] payload) {
    assertThat(block.memory().slice(block.start(), block.length()))
        .isEqualTo(ByteBuffer.wrap(payload));
  }

  private static byte[] payload(
      Map<Place, byte[]> given, Place place, SplittableRandom random, int blockBytes) {
    return given.computeIfAbsent(
        place,
        any -> {
          byte[] bytes = new byte[blockBytes / 2 + random.nextInt(blockBytes)];
          random.nextBytes(bytes);
          return bytes;
        });
  }
}

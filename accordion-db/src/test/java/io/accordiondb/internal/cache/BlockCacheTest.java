// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.ThreadAllocation;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.statistics.BlockKind;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockCacheTest {
  private static final int BLOCK_BYTES = 4 << 10;
  private static final long CAPACITY_BYTES = 1 << 20;

  private final BlockCache cache = new BlockCache(CAPACITY_BYTES);
  private final CachedFile file = cache.newFile();

  private static ByteBuffer block(int number, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) number);
    return ByteBuffer.wrap(bytes);
  }

  private void offer(CachedFile to, int number) {
    cache.offer(to, number, block(number, BLOCK_BYTES));
  }

  private @Nullable ByteBuffer read(CachedFile from, int number) {
    BlockBuffer buffer = new BlockBuffer();
    return cache.read(BlockKind.DATA, from, number, buffer) ? buffer.payload() : null;
  }

  /** Offers blocks from 0 on, each once; returns how many are held. */
  private int fill(int blocks) {
    for (int i = 0; i < blocks; i++) {
      offer(file, i);
    }
    return held(blocks);
  }

  /** Returns how many of the blocks from 0 on are held. */
  private int held(int blocks) {
    int held = 0;
    for (int i = 0; i < blocks; i++) {
      held += read(file, i) == null ? 0 : 1;
    }
    return held;
  }

  @Test
  void takesAllWhileThereIsRoom() {
    assertThat(fill(200)).isEqualTo(200);
    assertThat(read(file, 7)).isEqualTo(block(7, BLOCK_BYTES));
    assertThat(read(file, 200)).isNull();
    assertThat(read(cache.newFile(), 7)).isNull();
  }

  @Test
  void usesMostOfItsCapacityAndNoMore() {
    assertThat(fill(1_000)).isBetween(220, 256);
    assertThat(cache.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    assertThat(cache.stats().usedBytes()).isLessThanOrEqualTo(cache.takenBytes());
  }

  @Test
  void takesWhatIsOfferedTwiceWhenItIsFull() {
    fill(1_000);
    offer(file, 5_000);
    assertThat(read(file, 5_000)).isNull();
    offer(file, 5_000);
    assertThat(read(file, 5_000)).isEqualTo(block(5_000, BLOCK_BYTES));
  }

  @Test
  void keepsWhatIsReadWhileOthersComeAndGo() {
    fill(200);
    for (int i = 1_000; i < 3_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
      for (int hot = 0; hot < 50; hot++) {
        assertThat(read(file, hot)).as("block %d after %d", hot, i).isEqualTo(block(hot, 4096));
      }
    }
    assertThat(read(file, 150)).isNull();
  }

  @Test
  void aScanPushesOutNothing() {
    fill(1_000);
    int before = fill(0);
    for (int i = 10_000; i < 20_000; i++) {
      offer(file, i);
      before += read(file, i) == null ? 0 : 1;
    }
    // Offers are remembered by hash, so that a few seem to come for the second time.
    assertThat(before).isLessThan(100);
  }

  @Test
  void takesAllAgainWhenAFileHasGone() {
    fill(1_000);
    cache.drop(file);
    assertThat(cache.stats().usedBytes()).isZero();
    CachedFile other = cache.newFile();
    for (int i = 0; i < 150; i++) {
      offer(other, i);
      assertThat(read(other, i)).isEqualTo(block(i, BLOCK_BYTES));
    }
    offer(file, 2_000);
    assertThat(read(file, 2_000)).as("a block that comes after its file has gone").isNull();
  }

  @Test
  void givesWayToWhatIsCharged() {
    fill(1_000);
    cache.charge(CAPACITY_BYTES / 2);
    assertThat(cache.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    assertThat(fill(1_000)).isLessThan(128);
    assertThat(cache.tryCharge(CAPACITY_BYTES / 4)).isTrue();
    assertThat(cache.tryCharge(1)).isFalse();
    assertThat(cache.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    cache.charge(-CAPACITY_BYTES / 4 * 3);
    for (int i = 0; i < 1_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
    }
    assertThat(cache.stats().usedBytes()).isGreaterThan(CAPACITY_BYTES / 10 * 8);
    assertThat(cache.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
  }

  @Test
  void leavesOutBlocksThatAreTooLongForItsCapacity() {
    cache.put(file, 0, block(1, 64 << 10));
    assertThat(read(file, 0)).isNull();
    cache.put(file, 1, block(1, 0));
    assertThat(read(file, 1)).isEqualTo(block(1, 0));
  }

  @Test
  void aLongBlockForWhichThereIsNoSlabPushesNothingOut() {
    BlockCache small = new BlockCache(new CacheSizes(CAPACITY_BYTES, 32 << 10, 128 << 10));
    CachedFile its = small.newFile();
    int count = 0;
    for (; small.takenBytes() < CAPACITY_BYTES - (64 << 10); count++) {
      small.put(its, count, block(count, BLOCK_BYTES));
    }
    long usedBytes = small.stats().usedBytes();
    for (int i = 0; i < 100; i++) {
      small.put(its, 1_000_000 + i, block(i, 100 << 10));
    }
    assertThat(small.stats().usedBytes()).isEqualTo(usedBytes);
    for (int i = 0; i < count; i++) {
      assertThat(small.read(BlockKind.DATA, its, i, new BlockBuffer())).isTrue();
    }
  }

  @Test
  void aLongBlockHasASlabOfItsOwnLength() {
    BlockCache mixed = new BlockCache(new CacheSizes(CAPACITY_BYTES, 32 << 10, 128 << 10));
    CachedFile its = mixed.newFile();
    for (int i = 0; i < 50; i++) {
      mixed.put(its, i, block(i, 100 << 10));
      assertThat(mixed.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    }
    BlockBuffer buffer = new BlockBuffer();
    assertThat(mixed.read(BlockKind.DATA, its, 49, buffer)).isTrue();
    assertThat(buffer.payload()).isEqualTo(block(49, 100 << 10));
  }

  @Test
  void holdsNothingWithoutCapacity() {
    Tallies tallies = new Tallies();
    BlockCache none = new BlockCache(0, tallies);
    CachedFile its = none.newFile();
    none.offer(its, 0, block(1, BLOCK_BYTES));
    none.put(its, 0, block(1, BLOCK_BYTES));
    assertThat(none.read(BlockKind.DATA, its, 0, new BlockBuffer())).isFalse();
    assertThat(none.takenBytes()).isZero();
    assertThat(tallies.blockMisses()).isEqualTo(1);
    assertThatThrownBy(() -> new BlockCache(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 bytes");
  }

  @Test
  void whenDirectMemoryRunsOutItGivesSomeBackAndGrowsNoMoreUntilItsSizeChanges() {
    AtomicLong left = new AtomicLong(5 << 20);
    CacheSizes sizes = CacheSizes.of(16 << 20);
    BlockCache scarce = new BlockCache(sizes, new Tallies(), bytes -> allocate(bytes, left));
    CachedFile its = scarce.newFile();
    for (int i = 0; left.get() >= sizes.slabBytes(); i++) {
      scarce.put(its, i, block(i, BLOCK_BYTES));
    }
    for (int i = 2_000; i < 10_000; i++) {
      scarce.put(its, i, block(i, BLOCK_BYTES));
    }
    assertThat(scarce.takenBytes()).isBetween(2L << 20, (3L << 20) + (3L << 20) / 16);
    assertThat(scarce.stats().usedBytes()).isBetween(1L << 20, scarce.takenBytes());
    assertThat(scarce.directMemory().allocate(1))
        .as("memory for others of the same budget")
        .isNull();

    left.set(Long.MAX_VALUE);
    scarce.put(its, 20_000, block(1, BLOCK_BYTES));
    assertThat(scarce.takenBytes()).isLessThan(4 << 20);
    scarce.resize(16 << 20);
    for (int i = 30_000; i < 40_000; i++) {
      scarce.put(its, i, block(i, BLOCK_BYTES));
    }
    assertThat(scarce.takenBytes()).isBetween(15L << 20, 16L << 20);
  }

  @Test
  void memoryForOthersOfItsBudgetGivesBlocksBackIfThereIsNone() {
    AtomicLong left = new AtomicLong(1 << 20);
    CacheSizes sizes = CacheSizes.of(16 << 20);
    BlockCache scarce = new BlockCache(sizes, new Tallies(), bytes -> allocate(bytes, left));
    CachedFile its = scarce.newFile();
    for (int i = 0; left.get() >= sizes.slabBytes(); i++) {
      scarce.put(its, i, block(i, BLOCK_BYTES));
    }
    assertThat(scarce.directMemory().allocate(sizes.slabBytes())).isNull();
    assertThat(scarce.takenBytes()).isZero();
    assertThat(scarce.read(BlockKind.DATA, its, 0, new BlockBuffer())).isFalse();
  }

  @Test
  void memoryStoresGiveUpWhatOthersNeedOnlyIfTheCacheHasNone() {
    AtomicLong left = new AtomicLong(1 << 20);
    CacheSizes sizes = CacheSizes.of(16 << 20);
    BlockCache scarce = new BlockCache(sizes, new Tallies(), bytes -> allocate(bytes, left));
    DirectMemory direct = scarce.directMemory();
    direct.setLastResort(() -> left.set(100));
    scarce.put(scarce.newFile(), 0, block(0, BLOCK_BYTES));
    left.set(0);
    assertThatThrownBy(() -> direct.require(100)).isInstanceOf(OutOfMemoryError.class);
    assertThat(scarce.takenBytes()).isZero();
    assertThat(direct.allocate(100)).as("memory for another cache").isNull();
    assertThat(direct.require(100).capacity()).isEqualTo(100);
  }

  @Test
  void takesMemoryThatOthersHaveLeftBeforeItAllocatesAny() {
    AtomicLong left = new AtomicLong(0);
    CacheSizes sizes = CacheSizes.of(16 << 20);
    BlockCache cautious = new BlockCache(sizes, new Tallies(), bytes -> allocate(bytes, left));
    Deque<ByteBuffer> spare = new ArrayDeque<>();
    for (int i = 0; i < 10; i++) {
      spare.add(ByteBuffer.allocateDirect(64 << 10));
    }
    cautious.directMemory().setSpare(64 << 10, spare::poll);
    CachedFile its = cautious.newFile();
    for (int i = 0; i < 100; i++) {
      cautious.put(its, i, block(i, 4 << 10));
    }
    assertThat(spare).hasSize(3);
    assertThat(cautious.takenBytes()).isBetween(7L * (64 << 10), 7L * (66 << 10));
    BlockBuffer buffer = new BlockBuffer();
    for (int i = 0; i < 100; i++) {
      assertThat(cautious.read(BlockKind.DATA, its, i, buffer)).isTrue();
      assertThat(buffer.payload()).isEqualTo(block(i, 4 << 10));
    }
    left.set(sizes.slabBytes());
    // The first one still has room in the slab that takes blocks.
    cautious.put(its, 1_000, block(1, 32 << 10));
    cautious.put(its, 1_001, block(2, 32 << 10));
    assertThat(left).as("too long for a spare slab").hasValue(0);
    assertThat(spare).hasSize(3);
  }

  @Test
  void hasRoomForLongBlocksThoughSpareMemoryIsInShortPieces() {
    BlockCache lent = new BlockCache(16 << 20);
    lent.directMemory().setSpare(64 << 10, () -> ByteBuffer.allocateDirect(64 << 10));
    CachedFile its = lent.newFile();
    for (int i = 0; i < 10_000; i++) {
      lent.put(its, i, block(i, 4 << 10));
    }
    BlockBuffer buffer = new BlockBuffer();
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      lent.put(its, 100_000 + i, block(i, 100 << 10));
      held += lent.read(BlockKind.DATA, its, 100_000 + i, buffer) ? 1 : 0;
    }
    assertThat(held).isGreaterThan(100);
  }

  /** Allocates bytes if as many are left of a number. */
  private static ByteBuffer allocate(int bytes, AtomicLong left) {
    if (bytes > left.get()) {
      throw new OutOfMemoryError("no direct buffer memory");
    }
    left.addAndGet(-bytes);
    return ByteBuffer.allocateDirect(bytes);
  }

  /** An error of the heap says nothing about memory outside of it. */
  @ParameterizedTest
  @ValueSource(strings = {"Java heap space", "GC overhead limit exceeded"})
  void aLackOfHeapDoesNotKeepItFromGrowingLater(String message) {
    AtomicBoolean isShort = new AtomicBoolean(true);
    BlockCache lent =
        new BlockCache(
            CacheSizes.of(CAPACITY_BYTES),
            new Tallies(),
            bytes -> {
              if (isShort.getAndSet(false)) {
                throw new OutOfMemoryError(message);
              }
              return ByteBuffer.allocateDirect(bytes);
            });
    CachedFile its = lent.newFile();
    lent.put(its, 1, block(1, BLOCK_BYTES));
    assertThat(lent.takenBytes()).isZero();
    lent.put(its, 1, block(1, BLOCK_BYTES));
    assertThat(lent.read(BlockKind.DATA, its, 1, new BlockBuffer())).isTrue();
  }

  @Test
  void aPinnedBlockStaysWhereItIsWhileOthersMoveAndGo() {
    fill(200);
    CachedBlock pinned = pin(7);
    int start = pinned.start();
    assertThat(cache.pins()).isEqualTo(1);
    for (int i = 1_000; i < 3_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
      assertThat(bytesOf(pinned)).isEqualTo(block(7, BLOCK_BYTES));
    }
    assertThat(pinned.start()).isEqualTo(start);
    pinned.unpin();
    assertThat(cache.pins()).isZero();
    for (int i = 3_000; i < 6_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
    }
    assertThat(read(file, 7)).as("a block that nobody reads any more").isNull();
  }

  @Test
  void wherePinsLeaveNoRoomNothingIsTakenAndTheBudgetHolds() {
    int held = fill(1_000);
    for (int i = 0; i < 1_000; i++) {
      cache.pin(BlockKind.DATA, file, i);
    }
    assertThat(cache.pins()).isEqualTo(held);
    for (int i = 1_000; i < 2_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
    }
    assertThat(held(2_000)).as("what was left of the slabs").isLessThan(held + 10);
    assertThat(cache.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    for (int i = 0; i < 1_000; i++) {
      CachedBlock block = cache.pin(BlockKind.DATA, file, i);
      if (block != null) {
        assertThat(bytesOf(block)).isEqualTo(block(i, BLOCK_BYTES));
        block.unpin();
      }
    }
  }

  @Test
  void aPinnedBlockOutlivesItsFileAndItsSlab() {
    fill(200);
    CachedBlock pinned = pin(7);
    cache.drop(file);
    cache.resize(0);
    assertThat(cache.takenBytes()).isZero();
    cache.resize(CAPACITY_BYTES);
    CachedFile other = cache.newFile();
    for (int i = 0; i < 1_000; i++) {
      cache.put(other, i, block(i + 1, BLOCK_BYTES));
    }
    assertThat(bytesOf(pinned)).isEqualTo(block(7, BLOCK_BYTES));
    pinned.unpin();
  }

  @Test
  void aPlaceIsReadOnceItIsFilledAndNotIfItIsAbandoned() {
    CachedBlock filled = reserve(1);
    CachedBlock abandoned = reserve(2);
    assertThat(read(file, 1)).isNull();
    assertThat(cache.offer(file, 1, BLOCK_BYTES)).as("a block on its way").isNull();
    filled.memory().put(filled.start(), block(1, BLOCK_BYTES), 0, BLOCK_BYTES);
    filled.openPinned();
    abandoned.abandon();
    assertThat(read(file, 1)).isEqualTo(block(1, BLOCK_BYTES));
    assertThat(read(file, 2)).isNull();
    assertThat(cache.pins()).isEqualTo(1);
    filled.unpin();
    fill(1_000);
    for (int i = 2_000; i < 6_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
    }
    cache.put(file, 2, block(2, BLOCK_BYTES));
    assertThat(read(file, 2)).isEqualTo(block(2, BLOCK_BYTES));
  }

  /** A reader that is slow may count its read of the block that was in the same place before. */
  @Test
  void anAbandonedPlaceIsNotReadThoughAUseIsCounted() throws ReflectiveOperationException {
    CachedBlock abandoned = reserve(2_000);
    abandoned.abandon();
    MethodHandles.privateLookupIn(CachedBlock.class, MethodHandles.lookup())
        .findVarHandle(CachedBlock.class, "uses", byte.class)
        .set(abandoned, (byte) 1);
    for (int i = 3_000; i < 6_000; i++) {
      cache.put(file, i, block(i, BLOCK_BYTES));
      assertThat(read(file, 2_000)).as("after " + i).isNull();
    }
  }

  @Test
  void readsMakeNoObject() throws Throwable {
    fill(1_000);
    BlockBuffer buffer = cache.takeBuffer();
    long bytes =
        ThreadAllocation.bytesOf(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                CachedBlock block = cache.pin(BlockKind.DATA, file, i % 500);
                if (block != null) {
                  block.unpin();
                }
                cache.read(BlockKind.DATA, file, i % 500, buffer);
              }
            });
    assertThat(bytes).as("of 20,000 reads").isLessThan(1_000);
  }

  private CachedBlock pin(int number) {
    return Objects.requireNonNull(cache.pin(BlockKind.DATA, file, number));
  }

  private CachedBlock reserve(int number) {
    return Objects.requireNonNull(cache.offer(file, number, BLOCK_BYTES));
  }

  private static ByteBuffer bytesOf(CachedBlock block) {
    return block.memory().slice(block.start(), block.length());
  }

  @Test
  void buffersAreUsedAgain() {
    BlockBuffer buffer = cache.takeBuffer();
    ByteBuffer bytes = buffer.resize(5_000);
    assertThat(buffer.resize(4_900)).isSameAs(bytes);
    assertThat(bytes.limit()).isEqualTo(4_900);
    cache.giveBack(buffer);
    assertThat(cache.takeBuffer()).isSameAs(buffer);
    assertThat(cache.takeBuffer()).isNotSameAs(buffer);
    assertThat(buffer.resize(9_000)).isNotSameAs(bytes);
  }
}

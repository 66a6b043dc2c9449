// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkPoolTest {
  private static final int CHUNK_BYTES = ChunkPool.CHUNK_BYTES_MIN;

  private final MemoryBudget budget = new MemoryBudget(1 << 20);
  private final MemoryAccount account = new MemoryAccount(budget);

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 4096 - 1, 4096 + 4, 2048, 3 << 12, 8 << 20, Integer.MIN_VALUE})
  void chunkSizesOutsideTheBoundsAreRefused(int bytes) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new ChunkPool(bytes, 1 << 30))
        .withMessageContaining(String.valueOf(bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {ChunkPool.CHUNK_BYTES_MIN, 1 << 16, ChunkPool.CHUNK_BYTES_MAX})
  void referencesRoundTripAtBothEndsOfAChunk(int chunkBytes) {
    ChunkPool pool = new ChunkPool(chunkBytes, 1 << 30);
    int first = pool.takeChunk(MemoryKind.HEAP, account);
    int second = pool.takeChunk(MemoryKind.HEAP, account);
    for (int chunk : new int[] {first, second}) {
      for (int position : new int[] {0, 4, chunkBytes - 4}) {
        int reference = pool.reference(chunk, position);
        assertThat(pool.position(reference)).isEqualTo(position);
        assertThat(pool.buffer(reference)).isSameAs(pool.buffer(pool.reference(chunk, 0)));
      }
    }
    assertThat(pool.buffer(pool.reference(first, 0)))
        .isNotSameAs(pool.buffer(pool.reference(second, 0)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 12, 13, 16, 17, 32, 64, 128, 200})
  void referencesReachOverMoreThanTheCap(long capGib) {
    ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MAX, capGib << 30);
    int last = (int) ((capGib << 30) / ChunkPool.CHUNK_BYTES_MAX * 5 / 4) - 1;
    int end = ChunkPool.CHUNK_BYTES_MAX - pool.alignmentBytes();
    int reference = pool.reference(last, end);
    assertThat(pool.chunkNumber(reference)).isEqualTo(last);
    assertThat(pool.position(reference)).isEqualTo(end);
  }

  @ParameterizedTest
  @EnumSource(
      value = MemoryKind.class,
      names = {"HEAP", "OFF_HEAP"})
  void aClosedPoolKeepsNeitherWhatWaitsNorWhatIsReturned(MemoryKind kind) {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 4 * CHUNK_BYTES);
    int waiting = pool.takeChunk(kind, account);
    int used = pool.takeChunk(kind, account);
    int[] link = pool.takeLinkBlock(account);
    pool.giveBack(waiting, account);
    pool.close();
    assertThat(pool.chunksFree()).isZero();
    assertThat(pool.buffer(pool.reference(used, 0))).isNotNull();
    pool.giveBack(used, account);
    pool.giveBackLinkBlock(link, account);
    assertThat(pool.chunksFree()).isZero();
    assertThat(pool.linkBlocksFree()).isZero();
    assertThat(account.usedBytes()).isZero();
  }

  @Test
  void aPoolHasMoreChunksThanItsCap() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, CHUNK_BYTES);
    int[] references = new int[1000];
    for (int i = 0; i < references.length; i++) {
      references[i] = pool.reference(pool.takeChunk(MemoryKind.HEAP, account), 0);
      pool.buffer(references[i]).putInt(0, i);
    }
    for (int i = 0; i < references.length; i++) {
      assertThat(pool.buffer(references[i]).getInt(0)).isEqualTo(i);
    }
  }

  @Test
  void anArenaCrossesWhatFourByteAlignmentReaches() {
    ChunkPool pool = DistantPools.across(64L << 30);
    Arena arena = new Arena(pool, MemoryKind.HEAP, account);
    int[] references = new int[16 * CHUNK_BYTES / 1024];
    for (int i = 0; i < references.length; i++) {
      references[i] = arena.allocate(1024);
      arena.buffer(references[i]).putInt(arena.position(references[i]), i);
    }
    long reach = 4L << Integer.SIZE;
    assertThat((long) pool.chunkNumber(references[0]) * CHUNK_BYTES).isLessThan(reach);
    assertThat((long) pool.chunkNumber(references[references.length - 1]) * CHUNK_BYTES)
        .isGreaterThan(reach);
    for (int i = 0; i < references.length; i++) {
      assertThat(arena.buffer(references[i]).getInt(arena.position(references[i]))).isEqualTo(i);
    }
    arena.release();
  }

  @Test
  void piecesOfALargePoolLieAsReferencesNeedIt() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 64L << 30);
    assertThat(pool.alignmentBytes()).isEqualTo(32);
    Arena arena = new Arena(pool, MemoryKind.HEAP, account);
    for (int piece = 0; piece < CHUNK_BYTES / 32; piece++) {
      int reference = arena.allocate(1 + piece % 32);
      assertThat(arena.position(reference)).isEqualTo(32 * piece);
    }
    assertThat(arena.bytes()).isEqualTo(CHUNK_BYTES);
    arena.release();
  }

  @Test
  void aCapThatReferencesCannotReachIsRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new ChunkPool(CHUNK_BYTES, ChunkPool.CAP_BYTES_MAX + 1))
        .withMessageContaining(String.valueOf(ChunkPool.CAP_BYTES_MAX));
  }

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  void chunksLieWhereTheyShould(MemoryKind kind) {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    int reference = pool.reference(pool.takeChunk(kind, account), 0);
    assertThat(pool.buffer(reference).isDirect()).isEqualTo(kind == MemoryKind.OFF_HEAP);
    assertThat(account.usedBytes(kind)).isEqualTo(account.usedBytes()).isEqualTo(CHUNK_BYTES);
    assertThat(pool.buffer(reference).capacity()).isEqualTo(CHUNK_BYTES);
    int jumbo = pool.takeJumboChunk(CHUNK_BYTES + 4, kind, account);
    ByteBuffer buffer = pool.buffer(pool.reference(jumbo, 0));
    assertThat(buffer.isDirect()).isEqualTo(kind == MemoryKind.OFF_HEAP);
    assertThat(buffer.capacity()).isBetween(CHUNK_BYTES + 4, CHUNK_BYTES + CHUNK_BYTES / 8);
    assertThat(account.usedBytes(kind)).isEqualTo(CHUNK_BYTES + buffer.capacity());
    pool.giveBack(jumbo, account);
    assertThat(account.usedBytes()).isEqualTo(CHUNK_BYTES);
  }

  @Test
  void chunksThatComeBackAreTakenAgain() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    int chunk = pool.takeChunk(MemoryKind.HEAP, account);
    pool.giveBack(chunk, account);
    assertThat(pool.chunksInUse()).isZero();
    assertThat(pool.chunksFree()).isEqualTo(1);

    assertThat(pool.takeChunk(MemoryKind.HEAP, account)).isEqualTo(chunk);
    assertThat(pool.chunksFree()).isZero();
    assertThat(pool.chunksInUse()).isEqualTo(1);
  }

  @Test
  void chunksBeyondTheCapLieOnTheHeapAndAreNotKept() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 3L * CHUNK_BYTES + 1);
    int[] chunks = new int[5];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = pool.takeChunk(MemoryKind.OFF_HEAP, account);
      assertThat(pool.buffer(pool.reference(chunks[i], 0)).isDirect()).isEqualTo(i < 3);
    }
    assertThat(pool.chunksBeyondCap()).isEqualTo(2);
    assertThat(account.usedBytes(MemoryKind.OFF_HEAP)).isEqualTo(3L * CHUNK_BYTES);
    assertThat(account.usedBytes(MemoryKind.HEAP)).isEqualTo(2L * CHUNK_BYTES);
    for (int chunk : chunks) {
      pool.giveBack(chunk, account);
    }
    assertThat(account.usedBytes()).isZero();
    assertThat(pool.chunksBeyondCap()).isZero();
    assertThat(pool.chunksFree()).isEqualTo(3);
  }

  @Test
  void aLowerCapIsReachedAsChunksComeBack() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 4L * CHUNK_BYTES);
    MemoryAccount account = new MemoryAccount(new MemoryBudget(1 << 30));
    int[] taken = new int[4];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    }
    pool.giveBack(taken[0], account);
    pool.setCap(2L * CHUNK_BYTES);
    assertThat(pool.chunksFree()).isZero();
    pool.giveBack(taken[1], account);
    assertThat(pool.chunksFree()).isZero();
    pool.giveBack(taken[2], account);
    pool.giveBack(taken[3], account);
    assertThat(pool.chunksFree()).isEqualTo(2);
    pool.setCap(3L * CHUNK_BYTES);
    for (int i = 0; i < taken.length; i++) {
      taken[i] = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    }
    assertThat(pool.chunksBeyondCap()).isOne();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> pool.setCap(pool.capBytesMax() + 1))
        .withMessageContaining("expected up to");
  }

  @Test
  void aFreeChunkOutsideOfTheHeapCanBeRemoved() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 2L * CHUNK_BYTES);
    int taken = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    int free = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    ByteBuffer buffer = pool.buffer(pool.reference(free, 0));
    pool.giveBack(free, account);
    assertThat(pool.removeFree()).isSameAs(buffer);
    assertThat(pool.removeFree()).isNull();
    assertThat(pool.chunksFree()).isZero();
    int next = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    assertThat(next).isNotEqualTo(taken);
    assertThat(pool.buffer(pool.reference(next, 0))).isNotSameAs(buffer);
    assertThat(pool.buffer(pool.reference(next, 0)).isDirect()).isTrue();
    assertThat(pool.chunksBeyondCap()).isZero();
    pool.giveBack(pool.takeChunk(MemoryKind.HEAP, account), account);
    assertThat(pool.removeFree()).as("a chunk on the heap").isNull();
  }

  @Test
  void aPoolThatGivesUpDirectMemoryKeepsWhatIsTaken() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    int taken = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    pool.giveBack(pool.takeChunk(MemoryKind.OFF_HEAP, account), account);
    MemoryBudget large = new MemoryBudget(Long.MAX_VALUE);
    pool.giveUpDirectMemory(large);
    assertThat(pool.chunksFree()).isZero();
    assertThat(large.limitBytes()).isEqualTo(CHUNK_BYTES + Runtime.getRuntime().maxMemory() / 8);
    int next = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    assertThat(pool.buffer(pool.reference(next, 0)).isDirect()).isFalse();
    assertThat(pool.buffer(pool.reference(taken, 0)).isDirect()).isTrue();
    pool.giveBack(taken, account);
    assertThat(pool.removeFree()).as("a chunk that the pool cannot replace").isNull();
    assertThat(pool.takeChunk(MemoryKind.OFF_HEAP, account)).isEqualTo(taken);
  }

  @Test
  void aPoolGivesUpJumboChunksFirst() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    pool.giveBack(pool.takeChunk(MemoryKind.OFF_HEAP, account), account);
    pool.giveBack(pool.takeJumboChunk(2 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account), account);
    MemoryBudget large = new MemoryBudget(Long.MAX_VALUE);
    pool.giveUpDirectMemory(large);
    assertThat(pool.bytesFree()).isEqualTo(CHUNK_BYTES);
    assertThat(large.isLowered()).isFalse();
    pool.giveUpDirectMemory(large);
    assertThat(large.isLowered()).isTrue();
  }

  @Test
  void aPoolWithoutDirectMemoryGivesNothingUp() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    pool.giveBack(pool.takeChunk(MemoryKind.HEAP, account), account);
    MemoryBudget large = new MemoryBudget(Long.MAX_VALUE);
    pool.giveUpDirectMemory(large);
    assertThat(large.isLowered()).isFalse();
    assertThat(pool.chunksFree()).isOne();
    int next = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    assertThat(pool.buffer(pool.reference(next, 0)).isDirect()).isTrue();
  }

  @Test
  void aBudgetGrowsAndShrinksBelowWhatItWasLoweredTo() {
    MemoryBudget budget = new MemoryBudget(1000);
    budget.resize(2000);
    assertThat(budget.limitBytes()).isEqualTo(2000);
    budget.lowerTo(500);
    assertThat(budget.isLowered()).isTrue();
    budget.resize(5000);
    assertThat(budget.limitBytes()).isEqualTo(500);
    budget.resize(400);
    assertThat(budget.limitBytes()).isEqualTo(400);
    assertThat(budget.isLowered()).isFalse();
  }

  @Test
  void aPoolFullOfOneKindMakesRoomForTheOther() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 2L * CHUNK_BYTES);
    int first = pool.takeChunk(MemoryKind.HEAP, account);
    int second = pool.takeChunk(MemoryKind.HEAP, account);
    pool.giveBack(first, account);
    int direct = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    assertThat(pool.buffer(pool.reference(direct, 0)).isDirect()).isTrue();
    assertThat(pool.chunksFree()).isZero();
    assertThat(pool.chunksBeyondCap()).isZero();
    pool.giveBack(second, account);
    pool.giveBack(direct, account);
    assertThat(pool.chunksFree()).isEqualTo(2);
  }

  @Test
  void aJumboChunkOnTheHeapLeavesItsNumberButNotItsMemory() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    int jumbo = pool.takeJumboChunk(3 * CHUNK_BYTES, MemoryKind.HEAP, account);
    assertThat(account.usedBytes()).isEqualTo(3 * CHUNK_BYTES);
    pool.giveBack(jumbo, account);
    assertThat(pool.buffer(pool.reference(jumbo, 0))).isNull();
    assertThat(pool.chunksFree()).isZero();

    assertThat(pool.takeChunk(MemoryKind.HEAP, account)).isEqualTo(jumbo);
    assertThat(pool.bytesOf(jumbo)).isEqualTo(CHUNK_BYTES);
  }

  @Test
  void aJumboChunkThatComesBackIsTakenAgainForAboutTheSameSize() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    int jumbo = pool.takeJumboChunk(5 * CHUNK_BYTES / 2, MemoryKind.OFF_HEAP, account);
    ByteBuffer buffer = pool.buffer(pool.reference(jumbo, 0));
    pool.giveBack(jumbo, account);
    assertThat(pool.bytesFree()).isEqualTo(buffer.capacity());
    assertThat(pool.chunksInUse()).isZero();

    jumbo = pool.takeJumboChunk(5 * CHUNK_BYTES / 2 - 4, MemoryKind.OFF_HEAP, account);
    assertThat(pool.buffer(pool.reference(jumbo, 0))).isSameAs(buffer);
    assertThat(pool.bytesFree()).isZero();
    pool.giveBack(jumbo, account);
    int larger = pool.takeJumboChunk(3 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    int smaller = pool.takeJumboChunk(2 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    assertThat(pool.bytesFree()).as("the pool is far from its cap").isEqualTo(buffer.capacity());
    pool.giveBack(larger, account);
    pool.giveBack(smaller, account);
    assertThat(account.usedBytes()).isZero();
    pool.close();
    assertThat(pool.bytesFree()).isZero();
  }

  @Test
  void aFullPoolUsesALargerJumboChunkOrMakesRoomForOne() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 8L * CHUNK_BYTES);
    int six = pool.takeJumboChunk(6 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    ByteBuffer buffer = pool.buffer(pool.reference(six, 0));
    pool.giveBack(six, account);
    int four = pool.takeJumboChunk(4 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    assertThat(pool.buffer(pool.reference(four, 0))).isSameAs(buffer);
    pool.giveBack(four, account);
    int two = pool.takeJumboChunk(2 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    int eight = pool.takeJumboChunk(8 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    assertThat(pool.bytesFree()).as("no room could be made").isEqualTo(6 * CHUNK_BYTES);
    assertThat(pool.kindOf(eight)).isEqualTo(MemoryKind.HEAP);
    int chunk = pool.takeChunk(MemoryKind.OFF_HEAP, account);
    assertThat(pool.kindOf(chunk)).isEqualTo(MemoryKind.OFF_HEAP);
    assertThat(pool.bytesFree()).isZero();
    assertThat(pool.chunksBeyondCap()).isZero();
    pool.giveBack(chunk, account);
    int seven = pool.takeJumboChunk(6 * CHUNK_BYTES, MemoryKind.OFF_HEAP, account);
    assertThat(pool.kindOf(seven)).isEqualTo(MemoryKind.OFF_HEAP);
    assertThat(pool.chunksFree()).as("made room for the jumbo chunk").isZero();
    for (int taken : new int[] {two, eight, seven}) {
      pool.giveBack(taken, account);
    }
    assertThat(account.usedBytes()).isZero();
    pool.setCap(4L * CHUNK_BYTES);
    assertThat(pool.bytesFree()).isLessThanOrEqualTo(4 * CHUNK_BYTES);
  }

  /** Here because there is no number for it; there may be no memory to give it one, either. */
  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  void aChunkThatGetsNoNumberDoesNotCount(MemoryKind kind) {
    int chunkBytes = ChunkPool.CHUNK_BYTES_MAX;
    int numbers = 1 << Integer.SIZE - Integer.numberOfTrailingZeros(chunkBytes / 4);
    ChunkPool pool = new ChunkPool(chunkBytes, chunkBytes, numbers - 1);
    int last = pool.takeJumboChunk(chunkBytes + 4, kind, account);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> pool.takeChunk(kind, account));
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> pool.takeJumboChunk(chunkBytes + 4, kind, account));
    }
    pool.giveBack(last, account);
    assertThat(account.usedBytes()).isZero();
    last = pool.takeChunk(kind, account);
    assertThat(pool.chunksBeyondCap()).isZero();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> pool.takeChunk(kind, account));
    assertThat(pool.chunksBeyondCap()).isZero();
    pool.giveBack(last, account);
    assertThat(pool.chunksFree()).isOne();
  }

  @Test
  void everythingTakenIsChargedAndCredited() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    MemoryAccount other = new MemoryAccount(budget);
    int[] chunks = new int[40];
    int[][] blocks = new int[40][];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = pool.takeChunk(MemoryKind.HEAP, account);
      blocks[i] = pool.takeLinkBlock(other);
    }
    int jumbo = pool.takeJumboChunk(CHUNK_BYTES + 4, MemoryKind.HEAP, account);
    assertThat(account.usedBytes()).isEqualTo(41L * CHUNK_BYTES + 4);
    assertThat(other.usedBytes()).isEqualTo(40L * ChunkPool.LINK_BLOCK_BYTES);
    assertThat(budget.usedBytes()).isEqualTo(account.usedBytes() + other.usedBytes());
    assertThat(budget.availableBytes()).isEqualTo((1 << 20) - budget.usedBytes()).isNegative();
    assertThat(pool.chunksInUse()).isEqualTo(41);

    for (int i = 0; i < chunks.length; i++) {
      pool.giveBack(chunks[i], account);
      pool.giveBackLinkBlock(blocks[i], other);
    }
    pool.giveBack(jumbo, account);
    assertThat(account.usedBytes()).isZero();
    assertThat(other.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
    assertThat(pool.chunksFree()).isEqualTo(40);
  }

  @Test
  void linkBlocksThatComeBackAreTakenAgain() {
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);
    int[] block = pool.takeLinkBlock(account);
    assertThat(block).hasSize(ChunkPool.LINK_BLOCK_INTS);
    pool.giveBackLinkBlock(block, account);
    assertThat(pool.takeLinkBlock(account)).isSameAs(block);
    assertThat(pool.takeLinkBlock(account)).isNotSameAs(block);
  }

  @Test
  void linkBlocksWaitForReuseInASmallPartOfTheCapAlone() {
    int blocks = 100;
    ChunkPool pool = new ChunkPool(CHUNK_BYTES, 16L * blocks * ChunkPool.LINK_BLOCK_BYTES);
    for (int round = 0; round < 2; round++) {
      int[][] taken = new int[3 * blocks][];
      for (int i = 0; i < taken.length; i++) {
        taken[i] = pool.takeLinkBlock(account);
      }
      assertThat(pool.linkBlocksFree()).isZero();
      for (int[] block : taken) {
        pool.giveBackLinkBlock(block, account);
      }
      assertThat(pool.linkBlocksFree()).isEqualTo(blocks);
      assertThat(account.usedBytes()).isZero();
    }
    pool.setCap(8L * blocks * ChunkPool.LINK_BLOCK_BYTES);
    assertThat(pool.linkBlocksFree()).isEqualTo(blocks / 2);
    pool.setCap(CHUNK_BYTES);
    assertThat(pool.linkBlocksFree()).isEqualTo(16);
  }

  @Test
  void aBudgetIsNotHeldBelowWhatItWasLoweredTo() {
    MemoryBudget budget = new MemoryBudget(10);
    budget.lowerTo(100);
    assertThat(budget.isLowered()).isFalse();
    budget.resize(50);
    assertThat(budget.limitBytes()).isEqualTo(50);
    budget.resize(500);
    assertThat(budget.limitBytes()).isEqualTo(100);
    budget.lowerTo(200);
    assertThat(budget.limitBytes()).isEqualTo(100);
  }

  @Test
  void aBudgetOfNothingIsRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new MemoryBudget(0));
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArenaTest {
  private static final int CHUNK_BYTES = ChunkPool.CHUNK_BYTES_MIN;

  /** A piece of an arena that one owner has filled with a mark of its own. */
  private record Piece(int reference, int bytes, byte mark) {
    void fill(Arena arena) {
      ByteBuffer buffer = arena.buffer(reference);
      int position = arena.position(reference);
      for (int i = 0; i < bytes; i++) {
        buffer.put(position + i, mark);
      }
    }

    boolean isIntact(Arena arena) {
      ByteBuffer buffer = arena.buffer(reference);
      int position = arena.position(reference);
      for (int i = 0; i < bytes; i++) {
        if (buffer.get(position + i) != mark) {
          return false;
        }
      }
      return true;
    }
  }

  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final MemoryAccount account = new MemoryAccount(budget);
  private final ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);

  @Test
  void aFillerFillsWholeChunksOfArenaAfterArena() {
    List<Arena> arenas = new ArrayList<>();
    ArenaFiller filler =
        new ArenaFiller(
            pool,
            () -> {
              arenas.add(new Arena(pool, MemoryKind.OFF_HEAP, account));
              return arenas.get(arenas.size() - 1);
            },
            2 * CHUNK_BYTES);
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      int bytes = i == 100 ? 3 * CHUNK_BYTES : 1 + i % 300;
      Piece piece = new Piece(filler.allocate(bytes), bytes, (byte) i);
      piece.fill(arenas.get(0));
      pieces.add(piece);
    }
    assertThat(pieces).allMatch(piece -> piece.isIntact(arenas.get(0)));
    filler.finish();
    long filled = pieces.stream().mapToLong(piece -> pool.aligned(piece.bytes())).sum();
    assertThat(arenas.stream().mapToLong(arena -> arena.bytes() - arena.unusedBytes()).sum())
        .isEqualTo(filled);
    // 500 pieces of 150 bytes on average, and a large one.
    assertThat(account.usedBytes()).isBetween(19L * CHUNK_BYTES, 23L * CHUNK_BYTES);
    assertThat(arenas).hasSizeBetween(8, 12);
    arenas.forEach(Arena::release);
    assertThat(account.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 4092, 4095, 4096, 4097, 4100, 8192, 100_000})
  void piecesOfEverySizeFitAndComeBack(int bytes) {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    assertThat(arena.bytes()).isZero();
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Piece piece = new Piece(arena.allocate(bytes), bytes, (byte) (i + 1));
      piece.fill(arena);
      pieces.add(piece);
    }
    assertThat(pieces).allMatch(piece -> piece.isIntact(arena));
    assertThat(arena.bytes()).isEqualTo(account.usedBytes()).isGreaterThanOrEqualTo(10L * bytes);

    arena.release();
    assertThat(account.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Test
  void aPieceOfAChunksSizeTakesOneChunkAndOneByteMoreTakesAJumboChunk() {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    arena.allocate(CHUNK_BYTES);
    assertThat(arena.bytes()).isEqualTo(CHUNK_BYTES);
    int jumbo = arena.allocate(CHUNK_BYTES + 1);
    int capacity = arena.buffer(jumbo).capacity();
    assertThat(capacity).isEqualTo(JumboChunks.capacity(CHUNK_BYTES + pool.alignmentBytes()));
    assertThat(arena.bytes()).isEqualTo(CHUNK_BYTES + capacity);
    assertThat(arena.heapBytes()).isZero();
    assertThat(arena.position(jumbo)).isZero();
    assertThat(pool.takenBytes(jumbo, CHUNK_BYTES + 1)).isEqualTo(capacity);
    arena.release();
    assertThat(pool.chunksFree()).isEqualTo(1);
  }

  @Test
  void aChunkIsFilledToItsLastByte() {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    for (int i = 0; i < CHUNK_BYTES / 64; i++) {
      arena.allocate(64);
    }
    assertThat(arena.bytes()).isEqualTo(CHUNK_BYTES);
    arena.allocate(1);
    assertThat(arena.bytes()).isEqualTo(2 * CHUNK_BYTES);
    arena.release();
  }

  @Test
  void aJumboPieceLeavesTheChunkBeingFilled() {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    int first = arena.allocate(8);
    arena.allocate(3 * CHUNK_BYTES);
    int second = arena.allocate(8);
    assertThat(arena.buffer(second)).isSameAs(arena.buffer(first));
    assertThat(arena.position(second)).isEqualTo(arena.position(first) + 8);
    arena.release();
  }

  @Property(tries = 300)
  void piecesOfMixedSizesAreDisjoint(@ForAll("sizes") List<Integer> sizes) {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    List<Piece> pieces = new ArrayList<>();
    for (int bytes : sizes) {
      Piece piece = new Piece(arena.allocate(bytes), bytes, (byte) pieces.size());
      piece.fill(arena);
      pieces.add(piece);
    }
    assertThat(pieces).allMatch(piece -> piece.isIntact(arena));
    assertThat(pieces).allMatch(piece -> arena.position(piece.reference()) % 4 == 0);
    arena.release();
    assertThat(account.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Test
  void aSharedArenaLivesUntilItsLastHolder() {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    Piece piece = new Piece(arena.allocate(10), 10, (byte) 7);
    piece.fill(arena);
    arena.retain();
    arena.release();
    assertThat(piece.isIntact(arena)).isTrue();
    assertThat(account.usedBytes()).isEqualTo(CHUNK_BYTES);
    arena.release();
    assertThat(account.usedBytes()).isZero();
    assertThatIllegalStateException().isThrownBy(arena::retain);
  }

  @Test
  void chunksOfOneArenaServeTheNext() {
    Arena first = new Arena(pool, MemoryKind.OFF_HEAP, account);
    for (int i = 0; i < 20; i++) {
      first.allocateChunk();
    }
    first.release();
    assertThat(pool.chunksFree()).isEqualTo(20);
    Arena second = new Arena(pool, MemoryKind.OFF_HEAP, account);
    for (int i = 0; i < 20; i++) {
      second.allocateChunk();
    }
    assertThat(pool.chunksFree()).isZero();
    assertThat(pool.chunksInUse()).isEqualTo(20);
    second.release();
  }

  @Test
  void aPieceBeyondTheLargestArrayIsAnErrorThatTakesNothing() {
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> arena.allocate(Integer.MAX_VALUE));
    assertThat(account.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Test
  @Timeout(60)
  void fourThreadsGetDisjointPieces() throws Exception {
    int threads = 4;
    Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Future<List<Piece>>> results = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      byte mark = (byte) (thread + 1);
      Callable<List<Piece>> task =
          () -> {
            List<Piece> pieces = new ArrayList<>();
            start.await();
            for (int i = 0; i < 20_000; i++) {
              int bytes = i % 500 == 499 ? CHUNK_BYTES + i : 1 + (i * 31 + mark) % 200;
              Piece piece = new Piece(arena.allocate(bytes), bytes, (byte) (mark * 31 + i));
              piece.fill(arena);
              pieces.add(piece);
            }
            return pieces;
          };
      results.add(executor.submit(task));
    }
    executor.shutdown();
    long bytes = 0;
    for (Future<List<Piece>> result : results) {
      for (Piece piece : result.get()) {
        assertThat(piece.isIntact(arena)).isTrue();
        bytes += piece.bytes();
      }
    }
    assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(arena.bytes()).isEqualTo(account.usedBytes()).isGreaterThan(bytes);
    arena.release();
    assertThat(account.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Provide
  Arbitrary<List<Integer>> sizes() {
    return Arbitraries.frequencyOf(
            Tuple.of(8, Arbitraries.integers().between(1, 300)),
            Tuple.of(2, Arbitraries.of(4088, 4092, 4095, 4096, 4097, 4100, 8191, 8192, 8193)))
        .list()
        .ofMaxSize(60);
  }
}

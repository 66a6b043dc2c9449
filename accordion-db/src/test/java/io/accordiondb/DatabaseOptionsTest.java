// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bounds of each option: the lowest and the highest value are taken, the next ones not. */
class DatabaseOptionsTest {
  @TempDir Path folder;

  private static final long MIB = 1 << 20;

  @Test
  void bounds() {
    bounded(MIB, 200L << 30, DatabaseOptions.Builder::memoryBytes);
    bounded(0, Long.MAX_VALUE, DatabaseOptions.Builder::storeFlushBytes);
    bounded(0, Long.MAX_VALUE, DatabaseOptions.Builder::blockCacheBytes);
    bounded(64 << 10, Long.MAX_VALUE, DatabaseOptions.Builder::logBytesMax);
    bounded(0, Long.MAX_VALUE, DatabaseOptions.Builder::logRetentionBytesMax);
    bounded(4 << 10, 1L << 40, DatabaseOptions.Builder::logFileBytes);
    bounded(1, 64, (options, value) -> options.flushThreads((int) (long) value));
    bounded(1, 64, (options, value) -> options.compactionThreads((int) (long) value));
    bounded(1, 32_767, (options, value) -> options.rowBytesMax((int) (long) value));
    bounded(1, 128 * MIB, (options, value) -> options.valueBytesMax((int) (long) value));
    bounded(1 << 10, 192 * MIB, (options, value) -> options.batchBytesMax((int) (long) value));
    bounded(1, 60_000, (options, value) -> options.asyncLogDelay(Duration.ofMillis(value)));
    bounded(0, 86_400_000, (options, value) -> options.stallMax(Duration.ofMillis(value)));
  }

  private static void bounded(
      long min, long max, BiConsumer<DatabaseOptions.Builder, Long> option) {
    for (long value : new long[] {min, max}) {
      option.accept(DatabaseOptions.builder(), value);
    }
    refused(min - 1, option);
    if (max < Long.MAX_VALUE) {
      refused(max + 1, option);
    }
  }

  private static void refused(long value, BiConsumer<DatabaseOptions.Builder, Long> option) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> option.accept(DatabaseOptions.builder(), value))
        .withMessageContaining(Long.toString(value));
  }

  @Test
  void aRefusedValueIsReportedWithTheNameOfItsOption() throws IllegalAccessException {
    Map<Class<?>, Object> tooLow =
        Map.of(int.class, -1, long.class, -1L, Duration.class, Duration.ofMillis(-1));
    int refused = 0;
    for (Method option : DatabaseOptions.Builder.class.getMethods()) {
      Class<?>[] types = option.getParameterTypes();
      if (types.length != 1 || !tooLow.containsKey(types[0])) {
        continue;
      }
      if (option.getDeclaringClass() == Object.class) {
        continue;
      }
      try {
        option.invoke(DatabaseOptions.builder(), tooLow.get(types[0]));
      } catch (InvocationTargetException e) {
        refused++;
        assertThat(e.getCause()).hasMessageStartingWith(option.getName() + " ");
      }
    }
    assertThat(refused).isGreaterThan(15);
  }

  @Test
  void logFilesHaveTwiceTheMemory() throws IOException {
    assertThat(DatabaseOptions.builder().memoryBytes(MIB).build().logFileBytes())
        .isEqualTo(4 * MIB);
    assertThat(DatabaseOptions.builder().memoryBytes(8 * MIB).build().logFileBytes())
        .isEqualTo(16 * MIB);
    assertThat(DatabaseOptions.builder().memoryBytes(1024 * MIB).build().logFileBytes())
        .isEqualTo(64 * MIB);
    DatabaseOptions chosen = DatabaseOptions.builder().logFileBytes(MIB).memoryBytes(MIB).build();
    assertThat(chosen.logFileBytes()).isEqualTo(MIB);
    Path file = folder.resolve("options");
    chosen.save(file);
    assertThat(DatabaseOptions.load(file).logFileBytes()).isEqualTo(MIB);
    DatabaseOptions.defaults().save(file);
    assertThat(DatabaseOptions.load(file).toBuilder().memoryBytes(4 * MIB).build().logFileBytes())
        .isEqualTo(8 * MIB);
  }

  @Test
  void batchesFitIntoTheMemory() {
    assertThat(DatabaseOptions.builder().memoryBytes(MIB).build().batchBytesMax())
        .isEqualTo(MIB / 4 * 3);
    assertThat(DatabaseOptions.builder().memoryBytes(1024 * MIB).build().batchBytesMax())
        .isEqualTo(64 * MIB);
    DatabaseOptions.Builder most = DatabaseOptions.builder().batchBytesMax((int) (2 * MIB));
    assertThat(most.memoryBytes(2 * MIB + 1).build().batchBytesMax()).isEqualTo(2 * MIB);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> most.memoryBytes(2 * MIB).build())
        .withMessageContaining("batchBytesMax is " + 2 * MIB)
        .withMessageContaining("memoryBytes, which is " + 2 * MIB);
  }

  /** Otherwise the same regions would be merged and split in turn. */
  @Test
  void regionsThatAreMergedAreNotSplitAgain() {
    DatabaseOptions.Builder regions = DatabaseOptions.builder().regionSplitBytes(2 * MIB);
    assertThat(regions.regionMergeBytes(2 * MIB).build().regionMergeBytes()).isEqualTo(2 * MIB);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.regionMergeBytes(2 * MIB + 1).build())
        .withMessageContaining("regionMergeBytes is " + (2 * MIB + 1))
        .withMessageContaining("regionSplitBytes, which is " + 2 * MIB);
  }

  @Test
  void chunksAreAPowerOfTwo() {
    assertThat(
            DatabaseOptions.builder()
                .experiment(e -> e.withChunkBytes(4 << 10))
                .build()
                .experiment()
                .chunkBytes())
        .isEqualTo(4 << 10);
    for (int bytes : new int[] {0, -1, Integer.MIN_VALUE, 2 << 10, 8 << 20, (4 << 10) + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DatabaseOptions.builder().experiment(e -> e.withChunkBytes(bytes)));
    }
  }

  @Test
  void timesBeyondAllMeasureAreRefusedLikeOthers() {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    for (Duration duration : new Duration[] {forEver, forEver.negated()}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DatabaseOptions.builder().stallMax(duration));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DatabaseOptions.builder().asyncLogDelay(duration));
    }
  }

  @Test
  void everyOptionThatIsNoCodeIsInTheFile() {
    Set<String> names =
        OptionsFile.names().stream()
            .map(name -> name.replaceFirst("\\..*", ""))
            .collect(Collectors.toSet());
    Set<String> options =
        Stream.of(DatabaseOptions.class.getMethods())
            .filter(method -> method.getDeclaringClass() == DatabaseOptions.class)
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getParameterCount() == 0)
            .map(Method::getName)
            .collect(Collectors.toSet());
    options.removeAll(
        Set.of(
            "toBuilder",
            "encryption",
            "clock",
            "mergeOperators",
            "compactionFilters",
            "recoveryListener",
            "eventListeners",
            "experiment"));
    assertThat(names).isEqualTo(options);
  }

  @Test
  void optionsComeBackFromAFile() throws IOException {
    Path file = folder.resolve("options");
    DatabaseOptions.builder()
        .createIfMissing(false)
        .memoryBytes(5 * MIB)
        .durability(Durability.FSYNC)
        .memStorePolicy(MemStorePolicy.of(Policy.EAGER).withActiveFraction(0.25))
        .asyncLogDelay(Duration.ofMillis(77))
        .logCompression(Compression.LZ4)
        .regionMergeBytes(12_345)
        .build()
        .save(file);
    DatabaseOptions loaded = DatabaseOptions.load(file);
    Path again = folder.resolve("again");
    loaded.save(again);
    assertThat(again).hasSameTextualContentAs(file);
    assertThat(loaded.createIfMissing()).isFalse();
    assertThat(loaded.memoryBytes()).isEqualTo(5 * MIB);
    assertThat(loaded.memStorePolicy())
        .isEqualTo(MemStorePolicy.of(Policy.EAGER).withActiveFraction(0.25));
    assertThat(loaded.asyncLogDelay()).isEqualTo(Duration.ofMillis(77));
  }

  @Test
  void aLimitThatDependsOnTheMemoryStillDoesSoAfterAFile() throws IOException {
    Path file = folder.resolve("options");
    DatabaseOptions.defaults().save(file);
    DatabaseOptions loaded = DatabaseOptions.load(file);
    assertThat(loaded.batchBytesMax()).isEqualTo(DatabaseOptions.defaults().batchBytesMax());
    assertThat(loaded.toBuilder().memoryBytes(8 * MIB).build().batchBytesMax()).isEqualTo(6 * MIB);
    DatabaseOptions.builder().batchBytesMax(1 << 20).build().save(file);
    assertThat(DatabaseOptions.load(file).batchBytesMax()).isEqualTo(1 << 20);
  }

  @Test
  void aFileMayHaveUnitsCommentsAndFewOptions() throws IOException {
    Path file = folder.resolve("options");
    Files.writeString(
        file, "# small\n\n memoryBytes = 16 MiB \nblockCacheBytes=0\ndurability=async");
    DatabaseOptions options = DatabaseOptions.load(file);
    assertThat(options.memoryBytes()).isEqualTo(16 * MIB);
    assertThat(options.blockCacheBytes()).isZero();
    assertThat(options.durability()).isEqualTo(Durability.ASYNC);
    assertThat(options.flushThreads()).isEqualTo(DatabaseOptions.defaults().flushThreads());
  }

  @Test
  void anOptionIsSetByItsNameInAFile() {
    DatabaseOptions options =
        DatabaseOptions.builder().set("memoryBytes", "16 MiB").set("durability", "fsync").build();
    assertThat(options.memoryBytes()).isEqualTo(16 * MIB);
    assertThat(options.durability()).isEqualTo(Durability.FSYNC);
    assertThatNullPointerException()
        .isThrownBy(() -> DatabaseOptions.builder().set(null, "1"))
        .withMessage("name");
    assertThatThrownBy(() -> DatabaseOptions.builder().set("memory", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory is no option")
        .hasMessageContaining("memoryBytes");
    assertThatThrownBy(() -> DatabaseOptions.builder().set("memoryBytes", "much"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memoryBytes cannot be 'much'");
  }

  @Test
  void aLineThatIsNoTextIsNamed() throws IOException {
    Path file = folder.resolve("options");
    byte[] text = "# Größe\nmemoryBytes=16 MiB\n".getBytes(ISO_8859_1);
    Files.write(file, text);
    assertThat(DatabaseOptions.load(file).memoryBytes()).isEqualTo(16 * MIB);
    for (int at = text.length - 2; text[at] != '\n'; at--) {
      byte[] changed = text.clone();
      changed[at] |= (byte) 0x80;
      Files.write(file, changed);
      assertThatThrownBy(() -> DatabaseOptions.load(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(file + ", line 2: ");
    }
  }

  @Test
  void aWrongFileIsRefusedByFileLineAndOption() throws IOException {
    refusedFile("memoryBytes=1 GB", "line 1", "memoryBytes", "1 GB", "GiB");
    refusedFile("memoryBytes=5", "memoryBytes", "memoryBytes is 5");
    refusedFile("\nmemory=5", "line 2", "memory", "no option", "memoryBytes");
    refusedFile("readOnly", "line 1", "readOnly");
    refusedFile("readOnly=yes", "yes", "true or false");
    refusedFile("flushThreads=99999999999", "flushThreads");
    refusedFile("memoryBytes=99999999999 GiB", "memoryBytes");
    refusedFile("stallMax=5 seconds", "stallMax", "5 seconds");
    refusedFile("durability=SOON", "SOON", "FSYNC");
    refusedFile("memStorePolicy.activeFraction=2", "2.0", "active fraction");
    refusedFile("flushThreads=1\nflushThreads=2", "line 2", "twice");
    refusedFile("memoryBytes=1 MiB\nbatchBytesMax=2 MiB", "batchBytesMax is");
    refusedFile("regionMergeBytes=20 GiB", "regionMergeBytes is", "regionSplitBytes");
  }

  private void refusedFile(String text, String... told) throws IOException {
    Path file = folder.resolve("options");
    Files.writeString(file, text);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DatabaseOptions.load(file))
        .withMessageContainingAll(
            Stream.concat(Stream.of(file.toString()), Stream.of(told)).toArray(String[]::new));
  }
}

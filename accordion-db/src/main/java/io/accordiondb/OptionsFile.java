// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.DatabaseOptions.Builder;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Options as lines of text; see {@link DatabaseOptions#load}. Pure functions. */
final class OptionsFile {
  /** Converts one option to text and back. */
  private record Line(Function<DatabaseOptions, Object> get, BiConsumer<Builder, String> set) {}

  private static final Map<String, Long> UNITS =
      Map.of("", 1L, "KIB", 1L << 10, "MIB", 1L << 20, "GIB", 1L << 30);

  private static final String POLICY = "memStorePolicy.";
  private static final Map<String, Line> LINES = lines();

  private OptionsFile() {}

  /** Returns the names of all options that a file may have. */
  static Set<String> names() {
    return LINES.keySet();
  }

  /** Sets an option by its name. */
  static void set(Builder builder, String name, String value) {
    Line line = LINES.get(Objects.requireNonNull(name, "name"));
    if (line == null) {
      throw new IllegalArgumentException(
          name + " is no option; expected a name of " + LINES.keySet());
    }
    set(builder, line, name, value);
  }

  private static void set(Builder builder, Line line, String place, String value) {
    try {
      line.set.accept(builder, value);
    } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          place + " cannot be '" + value + "': " + e.getMessage(), e);
    }
  }

  static void save(DatabaseOptions options, Path file) throws IOException {
    List<String> text = new ArrayList<>();
    LINES.forEach(
        (name, line) -> {
          Object value = line.get.apply(options);
          if (value != null) {
            text.add(name + "=" + value);
          }
        });
    // A reader finds the old file or the new one, even after a crash.
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    Files.write(unfinished, text);
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static DatabaseOptions load(Path file) throws IOException {
    Builder builder = DatabaseOptions.builder();
    Set<String> seen = new HashSet<>();
    int number = 0;
    // readAllLines would fail without naming the line of bytes that are not UTF-8.
    String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    for (String text : all.lines().toList()) {
      number++;
      String stripped = text.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      int equals = stripped.indexOf('=');
      String name = equals < 0 ? stripped : stripped.substring(0, equals).strip();
      String place = file + ", line " + number + ": " + name;
      Line line = LINES.get(name);
      if (equals < 0 || line == null) {
        throw new IllegalArgumentException(
            place + " is no option; expected name=value with a name of " + names());
      }
      if (!seen.add(name)) {
        throw new IllegalArgumentException(place + " appears twice");
      }
      set(builder, line, place, stripped.substring(equals + 1).strip());
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Line> lines() {
    Map<String, Line> lines = new LinkedHashMap<>();
    lines.put("createIfMissing", flag(DatabaseOptions::createIfMissing, Builder::createIfMissing));
    lines.put("readOnly", flag(DatabaseOptions::readOnly, Builder::readOnly));
    lines.put("memoryBytes", bytes(DatabaseOptions::memoryBytes, Builder::memoryBytes));
    lines.put("storeFlushBytes", bytes(DatabaseOptions::storeFlushBytes, Builder::storeFlushBytes));
    lines.put("blockCacheBytes", bytes(DatabaseOptions::blockCacheBytes, Builder::blockCacheBytes));
    lines.put(
        "durability", name(DatabaseOptions::durability, Durability.class, Builder::durability));
    putPolicy(lines);
    lines.put("logBytesMax", bytes(DatabaseOptions::logBytesMax, Builder::logBytesMax));
    lines.put("logFileBytes", bytes(DatabaseOptions::chosenLogFileBytes, Builder::logFileBytes));
    lines.put("logRetention", time(DatabaseOptions::logRetention, Builder::logRetention));
    lines.put(
        "logRetentionBytesMax",
        bytes(DatabaseOptions::logRetentionBytesMax, Builder::logRetentionBytesMax));
    lines.put("asyncLogDelay", time(DatabaseOptions::asyncLogDelay, Builder::asyncLogDelay));
    lines.put("stallMax", time(DatabaseOptions::stallMax, Builder::stallMax));
    lines.put("flushThreads", number(DatabaseOptions::flushThreads, Builder::flushThreads));
    lines.put(
        "compactionThreads",
        number(DatabaseOptions::compactionThreads, Builder::compactionThreads));
    lines.put("openFilesMax", number(DatabaseOptions::openFilesMax, Builder::openFilesMax));
    lines.put("rowBytesMax", number(DatabaseOptions::rowBytesMax, Builder::rowBytesMax));
    lines.put("valueBytesMax", number(DatabaseOptions::valueBytesMax, Builder::valueBytesMax));
    lines.put(
        "batchBytesMax", number(DatabaseOptions::chosenBatchBytesMax, Builder::batchBytesMax));
    lines.put(
        "recoveryMode",
        name(DatabaseOptions::recoveryMode, RecoveryMode.class, Builder::recoveryMode));
    lines.put(
        "logCompression",
        name(DatabaseOptions::logCompression, Compression.class, Builder::logCompression));
    lines.put(
        "logWriting", name(DatabaseOptions::logWriting, LogWriting.class, Builder::logWriting));
    lines.put(
        "fileReading", name(DatabaseOptions::fileReading, FileReading.class, Builder::fileReading));
    lines.put("compactWhenIdle", flag(DatabaseOptions::compactWhenIdle, Builder::compactWhenIdle));
    lines.put(
        "compactionBytesPerSecond",
        bytes(DatabaseOptions::compactionBytesPerSecond, Builder::compactionBytesPerSecond));
    lines.put(
        "compactionDebtBytesMax",
        bytes(DatabaseOptions::compactionDebtBytesMax, Builder::compactionDebtBytesMax));
    lines.put("levelFileBytes", bytes(DatabaseOptions::levelFileBytes, Builder::levelFileBytes));
    lines.put(
        "regionSplitBytes", bytes(DatabaseOptions::regionSplitBytes, Builder::regionSplitBytes));
    lines.put(
        "regionMergeBytes", bytes(DatabaseOptions::regionMergeBytes, Builder::regionMergeBytes));
    lines.put("slowOperation", time(DatabaseOptions::slowOperation, Builder::slowOperation));
    lines.put(
        "leakDetection",
        name(DatabaseOptions::leakDetection, LeakDetection.class, Builder::leakDetection));
    lines.put("jmx", flag(DatabaseOptions::jmx, Builder::jmx));
    return lines;
  }

  private static void putPolicy(Map<String, Line> lines) {
    lines.put(
        POLICY + "kind",
        policy(
            MemStorePolicy::kind,
            (policy, text) ->
                new MemStorePolicy(
                    constant(Policy.class, text),
                    policy.activeFraction(),
                    policy.pipelineSegmentsMax(),
                    policy.redundancyThreshold(),
                    policy.mergeSchedule())));
    lines.put(
        POLICY + "activeFraction",
        policy(
            MemStorePolicy::activeFraction,
            (policy, text) -> policy.withActiveFraction(Double.parseDouble(text))));
    lines.put(
        POLICY + "pipelineSegmentsMax",
        policy(
            MemStorePolicy::pipelineSegmentsMax,
            (policy, text) -> policy.withPipelineSegmentsMax(Integer.parseInt(text))));
    lines.put(
        POLICY + "redundancyThreshold",
        policy(
            MemStorePolicy::redundancyThreshold,
            (policy, text) -> policy.withRedundancyThreshold(Double.parseDouble(text))));
    lines.put(
        POLICY + "mergeSchedule",
        policy(
            MemStorePolicy::mergeSchedule,
            (policy, text) -> policy.withMergeSchedule(constant(MergeSchedule.class, text))));
  }

  private static Line policy(
      Function<MemStorePolicy, Object> get,
      BiFunction<MemStorePolicy, String, MemStorePolicy> with) {
    return new Line(
        options -> get.apply(options.memStorePolicy()),
        (builder, text) -> builder.changePolicy(policy -> with.apply(policy, text)));
  }

  private static Line flag(
      Function<DatabaseOptions, Object> get, BiConsumer<Builder, Boolean> set) {
    return new Line(get, (builder, text) -> set.accept(builder, flagOf(text)));
  }

  private static Line number(
      Function<DatabaseOptions, Object> get, BiConsumer<Builder, Integer> set) {
    return new Line(get, (builder, text) -> set.accept(builder, Math.toIntExact(bytesOf(text))));
  }

  private static Line bytes(Function<DatabaseOptions, Object> get, BiConsumer<Builder, Long> set) {
    return new Line(get, (builder, text) -> set.accept(builder, bytesOf(text)));
  }

  private static Line time(
      Function<DatabaseOptions, Object> get, BiConsumer<Builder, Duration> set) {
    return new Line(get, (builder, text) -> set.accept(builder, Duration.parse(text)));
  }

  private static <E extends Enum<E>> Line name(
      Function<DatabaseOptions, Object> get, Class<E> type, BiConsumer<Builder, E> set) {
    return new Line(get, (builder, text) -> set.accept(builder, constant(type, text)));
  }

  private static boolean flagOf(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("expected true or false");
    };
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String text) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("expected one of " + List.of(type.getEnumConstants()));
  }

  /** Returns a number, or a number of bytes with a unit. */
  private static long bytesOf(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    Long unit = UNITS.get(text.substring(digits).strip().toUpperCase(Locale.ROOT));
    if (digits == 0 || unit == null) {
      throw new IllegalArgumentException(
          "expected a whole number, for bytes also with KiB, MiB or GiB");
    }
    return Math.multiplyExact(Long.parseLong(text.substring(0, digits)), unit);
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Compression;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FileReading;
import io.accordiondb.LeakDetection;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.TableDescriptor;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The properties whose names begin with {@code accordion.}: every option of the database by its
 * name in lower case, and the attributes of a family after {@code accordion.family.}. An unknown
 * name is refused, because YCSB would silently ignore a mistake.
 */
final class StoreProperties {
  static final String PREFIX = "accordion.";
  private static final String FAMILY_PREFIX = PREFIX + "family.";
  static final String DIRECTORY = PREFIX + "dir";
  static final String DASHBOARD = PREFIX + "dashboard";
  static final String LAYOUT = PREFIX + "layout";
  static final String BATCH_BYTES = PREFIX + "batchbytes";
  static final String READ_MODIFY_WRITE = PREFIX + "readmodifywrite";

  private final Properties properties;
  private final Set<String> known = new HashSet<>();

  /** Reads properties; all are checked. */
  StoreProperties(Properties properties) {
    this.properties = properties;
    known.addAll(Set.of(DIRECTORY, DASHBOARD, BATCH_BYTES, READ_MODIFY_WRITE));
    AccordionClient.Layout unusedLayout = layoutOfRecords();
    DatabaseOptions unusedOptions = options();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (name.startsWith(PREFIX) && !name.startsWith(FAMILY_PREFIX) && !known.contains(name)) {
        throw new IllegalArgumentException(
            "no property " + name + "; there are " + String.join(", ", new TreeSet<>(known)));
      }
    }
    TableDescriptor unusedTable = table("t", "f");
  }

  /** Returns the names of all properties but those of families. */
  Set<String> names() {
    return Set.copyOf(known);
  }

  /** Returns the value of a property, or another if it is not set. */
  String text(String name, String absent) {
    return properties.getProperty(name, absent);
  }

  /**
   * Returns the value of a property as a number, or another if it is not set.
   *
   * @throws IllegalArgumentException if it is not a number
   */
  long number(String name, long absent) {
    String text = properties.getProperty(name);
    return text == null ? absent : parse(name, text, "a whole number", Long::parseLong);
  }

  /** Returns whether a property is set to true. */
  boolean isTrue(String name) {
    return Boolean.parseBoolean(properties.getProperty(name));
  }

  /** Returns how records are kept. */
  AccordionClient.Layout layoutOfRecords() {
    AccordionClient.Layout[] layout = {AccordionClient.Layout.RECORD};
    choice("layout", AccordionClient.Layout.class, value -> layout[0] = value);
    return layout[0];
  }

  /** Returns the descriptor of a table of one family. */
  TableDescriptor table(String name, String family) {
    Map<String, String> attributes = new HashMap<>();
    for (String property : properties.stringPropertyNames()) {
      if (property.startsWith(FAMILY_PREFIX)) {
        attributes.put(
            property.substring(FAMILY_PREFIX.length()), properties.getProperty(property));
      }
    }
    for (String attribute : attributes.keySet()) {
      if (!FamilyDescriptor.of(family).attributes().containsKey(attribute)
          && !attribute.startsWith("memstore-")) {
        throw new IllegalArgumentException(
            "no property "
                + FAMILY_PREFIX
                + attribute
                + "; families have "
                + String.join(", ", FamilyDescriptor.of(family).attributes().keySet()));
      }
      String needed = neededBeside(attribute);
      if (!attributes.containsKey(needed)) {
        throw new IllegalArgumentException(
            FAMILY_PREFIX + attribute + " has no effect without " + FAMILY_PREFIX + needed);
      }
    }
    return TableDescriptor.builder(name)
        .family(FamilyDescriptor.ofAttributes(family, attributes))
        .build();
  }

  /** Returns the attribute without which a family ignores another one; that itself if none. */
  private static String neededBeside(String attribute) {
    return switch (attribute) {
      case "memstore-index", "memstore-filtered" -> "memstore-cells";
      case "memstore-active-fraction",
          "memstore-pipeline-segments",
          "memstore-redundancy-threshold",
          "memstore-merge-schedule" ->
          "memstore-policy";
      default -> attribute;
    };
  }

  /** Returns the options of the database; what is not set has the database's own default. */
  DatabaseOptions options() {
    DatabaseOptions.Builder builder = DatabaseOptions.builder();
    flag("createifmissing", builder::createIfMissing);
    flag("compactwhenidle", builder::compactWhenIdle);
    flag("readonly", builder::readOnly);
    flag("jmx", builder::jmx);
    numbers(builder);
    integers(builder);
    set("asynclogdelaymillis", this::millis, builder::asyncLogDelay);
    set("stallmaxmillis", this::millis, builder::stallMax);
    set("slowoperationmillis", this::millis, builder::slowOperation);
    choice("durability", Durability.class, builder::durability);
    choice("recoverymode", RecoveryMode.class, builder::recoveryMode);
    choice("logcompression", Compression.class, builder::logCompression);
    choice("logwriting", LogWriting.class, builder::logWriting);
    choice("filereading", FileReading.class, builder::fileReading);
    choice("leakdetection", LeakDetection.class, builder::leakDetection);
    builder.memStorePolicy(policy());
    builder.experiment(e -> e.withSegmentLayout(layout()));
    return builder.build();
  }

  private void numbers(DatabaseOptions.Builder builder) {
    set("memorybytes", this::parseLong, builder::memoryBytes);
    set("storeflushbytes", this::parseLong, builder::storeFlushBytes);
    set("blockcachebytes", this::parseLong, builder::blockCacheBytes);
    set("logbytesmax", this::parseLong, builder::logBytesMax);
    set("logretentionmillis", this::millis, builder::logRetention);
    set("logretentionbytesmax", this::parseLong, builder::logRetentionBytesMax);
    set("logfilebytes", this::parseLong, builder::logFileBytes);
    set("seed", this::parseLong, seed -> builder.experiment(e -> e.withSeed(seed)));
    set("compactionbytespersecond", this::parseLong, builder::compactionBytesPerSecond);
    set("compactiondebtbytesmax", this::parseLong, builder::compactionDebtBytesMax);
    set("levelfilebytes", this::parseLong, builder::levelFileBytes);
    set("regionsplitbytes", this::parseLong, builder::regionSplitBytes);
    set("regionmergebytes", this::parseLong, builder::regionMergeBytes);
  }

  private void integers(DatabaseOptions.Builder builder) {
    set(
        "chunkbytes",
        this::parseInteger,
        bytes -> builder.experiment(e -> e.withChunkBytes(bytes)));
    set("flushthreads", this::parseInteger, builder::flushThreads);
    set("compactionthreads", this::parseInteger, builder::compactionThreads);
    set("openfilesmax", this::parseInteger, builder::openFilesMax);
    set("rowbytesmax", this::parseInteger, builder::rowBytesMax);
    set("valuebytesmax", this::parseInteger, builder::valueBytesMax);
    set("writebytesmax", this::parseInteger, builder::batchBytesMax);
  }

  private MemStorePolicy policy() {
    MemStorePolicy[] policy = {MemStorePolicy.DEFAULT};
    choice("policy", Policy.class, kind -> policy[0] = MemStorePolicy.of(kind));
    set(
        "activefraction",
        this::parseFraction,
        value -> policy[0] = policy[0].withActiveFraction(value));
    set(
        "pipelinesegments",
        this::parseInteger,
        value -> policy[0] = policy[0].withPipelineSegmentsMax(value));
    set(
        "threshold",
        this::parseFraction,
        value -> policy[0] = policy[0].withRedundancyThreshold(value));
    choice(
        "mergeschedule",
        MergeSchedule.class,
        value -> policy[0] = policy[0].withMergeSchedule(value));
    return policy[0];
  }

  private SegmentLayout layout() {
    CellMemory[] cells = {SegmentLayout.DEFAULT.cells()};
    IndexKind[] index = {SegmentLayout.DEFAULT.index()};
    choice("cells", CellMemory.class, value -> cells[0] = value);
    choice("index", IndexKind.class, value -> index[0] = value);
    SegmentLayout layout = SegmentLayout.of(cells[0], index[0]);
    String filtered = value("filtered");
    return filtered == null
        ? layout
        : new SegmentLayout(layout.cells(), layout.index(), Boolean.parseBoolean(filtered));
  }

  private @Nullable String value(String name) {
    known.add(PREFIX + name);
    return properties.getProperty(PREFIX + name);
  }

  private void flag(String name, Consumer<Boolean> setter) {
    set(name, (property, text) -> Boolean.parseBoolean(text), setter);
  }

  private <E extends Enum<E>> void choice(String name, Class<E> type, Consumer<E> setter) {
    set(
        name,
        (property, text) ->
            parse(
                property,
                text,
                "one of " + Arrays.toString(type.getEnumConstants()),
                word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT))),
        setter);
  }

  private <T> void set(String name, BiFunction<String, String, T> parser, Consumer<T> setter) {
    String text = value(name);
    if (text != null) {
      setter.accept(parser.apply(PREFIX + name, text));
    }
  }

  private long parseLong(String name, String text) {
    return parse(name, text, "a whole number", Long::parseLong);
  }

  private int parseInteger(String name, String text) {
    return parse(name, text, "a whole number of 32 bits", Integer::parseInt);
  }

  private double parseFraction(String name, String text) {
    return parse(name, text, "a number", Double::parseDouble);
  }

  private Duration millis(String name, String text) {
    return Duration.ofMillis(parseLong(name, text));
  }

  private static <T> T parse(
      String name, String text, String expected, Function<String, T> parser) {
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + " is \"" + text + "\", expected " + expected, e);
    }
  }
}

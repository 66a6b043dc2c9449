// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.FamilyDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Attributes of families under the names that HBase's shell gives them, or under their own. */
final class FamilyOptions {
  /** The names of the options, for help. */
  static final String HELP =
      "Attributes: VERSIONS, MIN_VERSIONS, TTL (seconds, or FOREVER), KEEP_DELETED_CELLS,"
          + " COMPRESSION, BLOCKSIZE (bytes), BLOOMFILTER, IN_MEMORY_COMPACTION, COMPACTION_STYLE,"
          + " MERGE_OPERATOR, and those that describe shows.";

  private static final long MILLIS = 1000;
  private static final String TTL = "TTL";
  private static final String TTL_MILLIS = "ttl-millis";
  private static final String METHOD = "METHOD";

  private static final Map<String, String> ALIASES =
      Map.of(
          "VERSIONS", "max-versions",
          "TTL", "ttl-millis",
          "KEEP_DELETED_CELLS", "keep-deleted",
          "BLOCKSIZE", "block-bytes",
          "BLOOMFILTER", "bloom-filter",
          "IN_MEMORY_COMPACTION", "memstore-policy");

  private static final String MERGE_OPERATOR = "merge-operator";

  private static final String COMPACTION_FILTER = "compaction-filter";
  private static final String FILTERS_READS = "filters-reads";
  private static final String FILTERED = "memstore-filtered";

  /** Attributes that count only beside another one. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "memstore-active-fraction", "memstore-policy",
          "memstore-pipeline-segments", "memstore-policy",
          "memstore-redundancy-threshold", "memstore-policy",
          "memstore-merge-schedule", "memstore-policy",
          "memstore-index", "memstore-cells",
          "memstore-filtered", "memstore-cells");

  /** The names of all attributes, including those that {@link #ALIASES} renames. */
  private static final List<String> ATTRIBUTES =
      List.of(
          "max-versions",
          "min-versions",
          TTL_MILLIS,
          "keep-deleted",
          "compression",
          "block-bytes",
          "bloom-filter",
          "compaction-style",
          MERGE_OPERATOR,
          COMPACTION_FILTER,
          FILTERS_READS,
          "memstore-policy",
          "memstore-active-fraction",
          "memstore-pipeline-segments",
          "memstore-redundancy-threshold",
          "memstore-merge-schedule",
          "memstore-cells",
          "memstore-index",
          FILTERED);

  private FamilyOptions() {}

  static String name(Map<String, Value> block, Arguments arguments) {
    Value name = block.get(Arguments.NAME);
    if (name == null) {
      throw arguments.wrong("a family needs a NAME");
    }
    return arguments.word(name, Arguments.NAME);
  }

  static boolean isDeletion(Map<String, Value> block, Arguments arguments) {
    Value method = block.get(METHOD);
    if (method == null) {
      return false;
    }
    if (!arguments.word(method, METHOD).equalsIgnoreCase("delete")) {
      throw arguments.wrong("METHOD can only be delete");
    }
    if (block.size() > 2) {
      throw arguments.wrong("a family with METHOD => delete has no attributes beside its NAME");
    }
    return true;
  }

  /** Returns a family as options in braces describe it, with other attributes as they were. */
  static FamilyDescriptor of(
      Map<String, Value> block, Map<String, String> before, Arguments arguments) {
    Map<String, String> given = new LinkedHashMap<>();
    block.forEach(
        (option, value) -> {
          if (!option.equals(Arguments.NAME)) {
            set(given, option, arguments.word(value, option));
          }
        });
    Map<String, String> attributes = new LinkedHashMap<>(before);
    attributes.putAll(given);
    for (String attribute : given.keySet()) {
      String needed = NEEDED.get(attribute);
      if (needed != null && !attributes.containsKey(needed)) {
        throw new IllegalArgumentException(
            attribute + " has no effect without " + needed + "; give that, too");
      }
    }
    return FamilyDescriptor.ofAttributes(name(block, arguments), attributes);
  }

  private static void set(Map<String, String> attributes, String option, String value) {
    String own = option.toLowerCase(Locale.ROOT).replace('_', '-');
    String attribute = ALIASES.getOrDefault(option, own);
    if (!ATTRIBUTES.contains(attribute)) {
      throw new IllegalArgumentException("a family has no attribute " + option + ". " + HELP);
    }
    if (attributes.put(attribute, parsed(option, attribute, value)) != null) {
      throw new IllegalArgumentException(attribute + " is given under two names");
    }
  }

  private static String parsed(String option, String attribute, String value) {
    return switch (attribute) {
      case TTL_MILLIS -> option.equals(TTL) ? ttlMillis(value) : value;
      case MERGE_OPERATOR, COMPACTION_FILTER -> value;
      case FILTERED, FILTERS_READS -> truth(option, value);
      // Choices are written in capitals.
      default -> value.toUpperCase(Locale.ROOT);
    };
  }

  private static String truth(String option, String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (!lower.equals("true") && !lower.equals("false")) {
      throw new IllegalArgumentException(option + " is " + value + ", expected true or false");
    }
    return lower;
  }

  private static String ttlMillis(String seconds) {
    if (seconds.equalsIgnoreCase("FOREVER")) {
      return Long.toString(Long.MAX_VALUE);
    }
    try {
      return Long.toString(Math.multiplyExact(Long.parseLong(seconds), MILLIS));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "TTL is \"" + seconds + "\", expected a number of seconds or FOREVER", e);
    }
  }

  /** Returns the attributes of a family in the order of their names. */
  static Map<String, String> shown(FamilyDescriptor family) {
    return new TreeMap<>(family.attributes());
  }
}

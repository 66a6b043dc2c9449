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
          "KEEP_DELETED_CELLS", "keep-deleted",
          "BLOCKSIZE", "block-bytes",
          "BLOOMFILTER", "bloom-filter",
          "IN_MEMORY_COMPACTION", "memstore-policy");

  private static final String MERGE_OPERATOR = "merge-operator";

  private static final String COMPACTION_FILTER = "compaction-filter";
  private static final String FILTERS_READS = "filters-reads";

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
          "memstore-filtered");

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
    return true;
  }

  /** Returns a family as options in braces describe it, with other attributes as they were. */
  static FamilyDescriptor of(
      Map<String, Value> block, Map<String, String> before, Arguments arguments) {
    Map<String, String> attributes = new LinkedHashMap<>(before);
    block.forEach(
        (option, value) -> {
          if (!option.equals(Arguments.NAME)) {
            set(attributes, option, arguments.word(value, option));
          }
        });
    return FamilyDescriptor.ofAttributes(name(block, arguments), attributes);
  }

  private static void set(Map<String, String> attributes, String option, String value) {
    if (option.equals(TTL)) {
      attributes.put(TTL_MILLIS, ttlMillis(value));
      return;
    }
    String own = option.toLowerCase(Locale.ROOT).replace('_', '-');
    String attribute = ALIASES.getOrDefault(option, own);
    if (!ATTRIBUTES.contains(attribute)) {
      throw new IllegalArgumentException("a family has no attribute " + option + ". " + HELP);
    }
    boolean isName = attribute.equals(MERGE_OPERATOR) || attribute.equals(COMPACTION_FILTER);
    attributes.put(attribute, isName ? value : upper(attribute, value));
  }

  /** Choices are written in capitals; truth values are not. */
  private static String upper(String attribute, String value) {
    return attribute.equals("memstore-filtered") || attribute.equals(FILTERS_READS)
        ? value
        : value.toUpperCase(Locale.ROOT);
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

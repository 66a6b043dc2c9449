// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.tests;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the methods of one test class of HBase's came to. A method that runs once per parameter
 * counts once.
 *
 * @param name the class, without the package of HBase
 * @param passed how many passed
 * @param notApplicable the methods to which one process has no answer, and why
 * @param failed the other methods that failed, and how
 * @param millis how long the class took
 */
record ClassResult(
    String name,
    int passed,
    Map<String, String> notApplicable,
    Map<String, String> failed,
    long millis) {
  int run() {
    return passed + notApplicable.size() + failed.size();
  }

  /** Returns the name of the class without its package. */
  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static String header() {
    return String.format(
        "%-55s %5s %7s %15s %7s %7s", "class", "run", "passed", "not applicable", "failed", "ms");
  }

  String line() {
    return line(name, run(), passed, notApplicable.size(), failed.size(), millis);
  }

  static String line(String name, int run, int passed, int notApplicable, int failed, long millis) {
    return String.format(
        "%-55s %5d %7d %15d %7d %7d", name, run, passed, notApplicable, failed, millis);
  }

  /** Returns a line per reason with the methods that it excuses. */
  String reasons() {
    Map<String, String> byReason =
        notApplicable.entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getValue,
                    TreeMap::new,
                    Collectors.mapping(Map.Entry::getKey, Collectors.joining(", "))));
    return byReason.entrySet().stream()
        .map(each -> "    " + each.getKey() + " (" + each.getValue() + ")\n")
        .collect(Collectors.joining());
  }

  /** Returns a line for each method that fails. */
  String defects() {
    return failed.keySet().stream()
        .map(method -> "    fails: " + method + "\n")
        .collect(Collectors.joining());
  }
}

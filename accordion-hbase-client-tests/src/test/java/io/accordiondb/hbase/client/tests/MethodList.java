// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Methods of HBase's tests with something to say about each: a file with the lines {@code
 * Class.method: text}, or {@code Class: text} for all methods of a class, and comments that begin
 * with #. A method whose text begins with "waits" must not be run, because it would wait for what
 * never comes.
 */
final class MethodList {
  private static final String WAITS = "waits";

  private final String file;
  private final Map<String, String> texts = new LinkedHashMap<>();

  MethodList(String file) {
    this.file = file;
    try (InputStream stream = MethodList.class.getResourceAsStream(file)) {
      new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(this::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String line) {
    int colon = line.indexOf(": ");
    if (colon < 0) {
      throw new IllegalArgumentException(file + ": no reason in \"" + line + "\"");
    }
    if (texts.put(line.substring(0, colon), line.substring(colon + 2)) != null) {
      throw new IllegalArgumentException(file + " lists a method twice: " + line);
    }
  }

  /** Returns what the file says of a method, if it lists it. */
  Optional<String> reason(String className, String method) {
    return Optional.ofNullable(texts.getOrDefault(className + "." + method, texts.get(className)));
  }

  /** Returns the methods of a class that the file lists one by one. */
  Set<String> methods(String className) {
    Set<String> methods = new TreeSet<>();
    for (String each : texts.keySet()) {
      if (each.startsWith(className + ".")) {
        methods.add(each.substring(className.length() + 1));
      }
    }
    return methods;
  }

  /** Returns whether a method must not be run. */
  boolean waits(String className, String method) {
    return reason(className, method).filter(reason -> reason.startsWith(WAITS)).isPresent();
  }
}

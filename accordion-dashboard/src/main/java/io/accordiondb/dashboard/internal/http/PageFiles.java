// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page, which are resources beside the classes. No other file can be requested: a
 * path is looked up in this list, never in a file system. Immutable.
 */
final class PageFiles {
  private static final String FOLDER = "/io/accordiondb/dashboard/page/";
  private static final String[] NAMES = {
    "index.html",
    "dashboard.css",
    "icon.svg",
    "main.js",
    "connection.js",
    "bellows.js",
    "chart.js",
    "panels.js",
    "timeline.js",
    "format.js"
  };

  /** One file: its bytes, which must not be changed, and its type. */
  record PageFile(byte[] bytes, String type) {}

  private final Map<String, PageFile> files = new HashMap<>();

  /** Reads all files. */
  PageFiles() throws IOException {
    for (String name : NAMES) {
      try (InputStream stream = PageFiles.class.getResourceAsStream(FOLDER + name)) {
        if (stream == null) {
          throw new FileNotFoundException("the page lacks its file " + name);
        }
        files.put("/" + name, new PageFile(stream.readAllBytes(), typeOf(name)));
      }
    }
    PageFile index = files.remove("/index.html");
    if (index != null) {
      files.put("/", index);
    }
  }

  private static String typeOf(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return switch (ending) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("no type is known for " + name);
    };
  }

  /** Returns the file of a path; null if there is none. */
  @Nullable PageFile at(String path) {
    return files.get(path);
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The versions of libraries, as their files state them. */
final class LibraryVersion {
  private LibraryVersion() {}

  /**
   * Returns the version of a library, from Maven's file in it or else its manifest.
   *
   * @param type a class of the library
   */
  static String of(Class<?> type, String group, String artifact) {
    String name = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    try (InputStream stream = type.getResourceAsStream(name)) {
      if (stream != null) {
        Properties properties = new Properties();
        properties.load(stream);
        return properties.getProperty("version", "");
      }
    } catch (IOException e) {
      throw new IllegalStateException("the library's own file cannot be read", e);
    }
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "of unknown version" : version;
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.util.regex.Pattern;

/**
 * A file of a database in a backup.
 *
 * @param name in the database's folder, with slashes
 * @param sha256 of its bytes, in hexadecimal digits, which names the object too
 * @param fingerprint of its length, time of change, beginning and end
 */
record FileEntry(String name, long bytes, String sha256, String fingerprint) {
  /** The prefix of the names of objects with files of databases. */
  static final String OBJECTS = "files/";

  private static final Pattern OBJECT = Pattern.compile(OBJECTS + "[0-9a-f]{64}");

  /** Returns whether a name is one that {@link #object} returns. */
  static boolean isObject(String name) {
    return OBJECT.matcher(name).matches();
  }

  String object() {
    return OBJECTS + sha256;
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

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

  String object() {
    return OBJECTS + sha256;
  }
}

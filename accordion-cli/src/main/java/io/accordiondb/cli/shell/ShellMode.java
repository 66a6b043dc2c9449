// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

/** How the database of a shell was opened. */
public enum ShellMode {
  /** For reading and writing. */
  READ_WRITE("read and write", ""),
  /** For reading, because the user asked for that. */
  READ_ONLY("read only", "leave out --read-only"),
  /** For reading, because nothing can be written to its folder. */
  READ_ONLY_FOLDER(
      "read only, as its folder cannot be written to",
      "its permissions or its mount forbid to write to the folder; change them, or copy the database"
          + " with \"accordion store checkpoint\""),
  /** For reading, because another process has it open. */
  READ_ONLY_BESIDE_OWNER(
      "read only, as another process has it open; refresh reads its newest state",
      "another process has it open, so write there, or end it and start the shell again");

  private final String words;
  private final String remedy;

  ShellMode(String words, String remedy) {
    this.words = words;
    this.remedy = remedy;
  }

  boolean isReadOnly() {
    return this != READ_WRITE;
  }

  /** Returns the mode for people. */
  String words() {
    return words;
  }

  /** Returns what to do to write. */
  String remedy() {
    return remedy;
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats and parses the names of log files. */
public final class LogFileNames {
  /** "ACCORLOG" as ASCII. */
  private static final long MAGIC = 0x4143_434F_524C_4F47L;

  private static final Pattern NAME = Pattern.compile("(\\d{12})\\.log");

  /** The highest accepted version of log files. */
  static final int VERSION_MAX = RecordFileHeader.LINKED_FILLED;

  private LogFileNames() {}

  /** Returns the name of a log file. */
  public static String nameOf(long fileNumber) {
    return String.format(Locale.ROOT, "%s/%012d.log", WriteAheadLog.DIRECTORY, fileNumber);
  }

  /**
   * Returns the header of a log file.
   *
   * @param version format version of the file, or the highest one that is accepted
   */
  static RecordFileHeader headerOf(long fileNumber, int version) {
    return new RecordFileHeader(MAGIC, fileNumber, version);
  }

  /** Returns the numbers of all log files, oldest first. Ignores other files. */
  public static List<Long> list(Storage storage) throws IOException {
    List<Long> numbers = new ArrayList<>();
    if (!storage.isDirectory(WriteAheadLog.DIRECTORY)) {
      return numbers;
    }
    for (String name : storage.list(WriteAheadLog.DIRECTORY)) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        numbers.add(Long.parseLong(matcher.group(1)));
      }
    }
    return numbers;
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordTail;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file behind another one, among those of the log and those that are kept. Belongs to one
 * thread.
 *
 * <p>There may be many kept files, so they are listed as seldom as possible. A file begins with a
 * link to the one before it. As long as that leads from one listed file to the next, none is
 * missing between them, however old the listing is.
 */
final class LogChain implements Closeable {
  private final Storage storage;
  private final KeptLogs kept;
  private final LogBeginnings beginnings;

  /** The names of files as listed last, by their numbers. */
  private SortedMap<Long, String> names = Collections.emptySortedMap();

  LogChain(Storage storage, KeptLogs kept) {
    this.storage = storage;
    this.kept = kept;
    this.beginnings = new LogBeginnings(storage, kept);
  }

  /** A file and the link that it begins with. */
  record Linked(long number, LogLink link) {
    boolean isBehind(long before) {
      return link.previousNumber() == before;
    }
  }

  /** Returns the first file behind another one that has a link; null if there is none yet. */
  @Nullable Linked behind(long number) throws IOException {
    Linked known = nextListed(number);
    if (known != null && known.isBehind(number)) {
      return known;
    }
    names = LogBeginnings.namesInLog(storage);
    // An open log loses its oldest files first, so while it has this one it has all later ones.
    boolean areAllInLog = kept.isOn() && storage.exists(LogFileNames.nameOf(number));
    Linked found = areAllInLog ? listedBehind(number) : null;
    if (areAllInLog && (found == null || found.isBehind(number))) {
      return found;
    }
    names = LogBeginnings.names(storage, kept);
    return listedBehind(number);
  }

  /** Returns the first listed file behind another one; null if it has no link, or is gone. */
  private @Nullable Linked nextListed(long number) throws IOException {
    Iterator<Map.Entry<Long, String>> later = names.tailMap(number + 1).entrySet().iterator();
    if (!later.hasNext()) {
      return null;
    }
    Map.Entry<Long, String> next = later.next();
    LogLink link = beginnings.linkOf(next.getKey(), next.getValue());
    return link == null ? null : new Linked(next.getKey(), link);
  }

  private @Nullable Linked listedBehind(long number) throws IOException {
    for (Map.Entry<Long, String> file : names.tailMap(number + 1).entrySet()) {
      LogLink link = beginnings.linkOf(file.getKey(), file.getValue());
      if (link != null) {
        return new Linked(file.getKey(), link);
      }
    }
    return null;
  }

  /** Opens a file; returns null if there is no such file. */
  @Nullable RecordTail open(long number) throws IOException {
    String listed = names.get(number);
    return listed == null
        ? LogBeginnings.open(storage, kept, number, 0)
        : LogBeginnings.open(storage, kept, number, listed);
  }

  @Override
  public void close() throws IOException {
    beginnings.close();
  }
}

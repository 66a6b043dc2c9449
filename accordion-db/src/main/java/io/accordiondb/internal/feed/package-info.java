// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Change feeds: the log, followed and decoded. Start with {@link
 * io.accordiondb.internal.feed.ChangeFeeds}.
 *
 * <p>{@code LogTail} follows the log while writers append to it: from file to file by their links,
 * and in the newest file up to the last complete record whose sequence numbers are visible. The
 * first link of a file says where the file before it ends, so records that a replay left out are
 * never delivered. Before a log file is deleted, it is linked into a folder of its own, which keeps
 * it for the time that {@code logRetention} says.
 *
 * <p>A position names the last record by file, offset and checksum. If another record is there, a
 * power failure has undone delivered changes, or it is another database. Writers do not know about
 * feeds: this package reads what {@code internal.wal} has written, and hands changes to the
 * application.
 */
@NullMarked
package io.accordiondb.internal.feed;

import org.jspecify.annotations.NullMarked;

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Change feeds: the log, followed and decoded. Start with {@link
 * io.accordiondb.internal.feed.ChangeFeeds}.
 *
 * <p>{@code LogTail} follows the log beside the writers: from file to file by their links, and in
 * the newest file up to the last whole record whose numbers are visible. The first link of a file
 * says where the file before it ends, so records that a replay left out are never delivered. Log
 * files that would be deleted are linked into a folder of their own first, as long as {@code
 * logRetention} says.
 *
 * <p>A position names the last record by file, offset and checksum. If another record is there, a
 * loss of power has undone what was delivered, or the database is another one. Writers do not know
 * of feeds.
 */
@NullMarked
package io.accordiondb.internal.feed;

import org.jspecify.annotations.NullMarked;

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * All access to files goes through this package. All other packages name files by strings with
 * {@code /} between the parts, relative to the folder of the database, so that a simulated disk can
 * replace the real one.
 *
 * <p>Start with {@link io.accordiondb.internal.storage.Storage}. On file systems that are known to
 * overwrite in place, the log is written by stores into a mapping of the file ({@code MappedFile}),
 * which another thread fills with zeros and maps ahead; elsewhere, by system calls. A store into a
 * page that the device refuses is dropped silently, so each page is read back before an append
 * counts. Sorted tables that are not in use are closed and opened again when they are read.
 *
 * <p>{@code FolderLock} prevents a second owner: in other processes by a lock on the file LOCK, in
 * this process, under any class loader, by the identity of the folder in the system properties. If
 * the folder of an open database is moved, deleted or replaced, everything that uses a name, and
 * every sync, fails, and the database stops accepting writes.
 */
@NullMarked
package io.accordiondb.internal.storage;

import org.jspecify.annotations.NullMarked;

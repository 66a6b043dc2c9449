// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The database that all state stores of a process share, divided into key spaces: one for each
 * store of a task, or for each segment of one.
 *
 * <p>Key spaces feed the stores of {@code internal.store}. Any thread may read; Kafka Streams has
 * one thread write to a store. A commit of a task flushes the database. This package knows tasks,
 * their directories and their incarnations, but not what a window or a version is. Start with
 * {@link io.accordiondb.kafka.streams.internal.space.TaskStore}.
 */
@NullMarked
package io.accordiondb.kafka.streams.internal.space;

import org.jspecify.annotations.NullMarked;

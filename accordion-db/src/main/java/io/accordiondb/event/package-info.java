// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a database reports to an application while it works: {@link
 * io.accordiondb.event.EventListener} and the records that it receives.
 *
 * <p>A thread of the database makes all calls, in order and without holding a lock.
 */
@NullMarked
package io.accordiondb.event;

import org.jspecify.annotations.NullMarked;

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Change feeds: the log, followed and decoded. Start with {@link ChangeFeeds}. */
@NullMarked
package io.accordiondb.internal.feed;

import org.jspecify.annotations.NullMarked;

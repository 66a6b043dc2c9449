// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reports what the files of a database hold, as the implementation of {@code
 * io.accordiondb.inspect}. It reads through the storage, changes nothing, and verifies everything
 * that it reads. Start with {@link io.accordiondb.internal.inspect.FolderInspector}.
 */
@NullMarked
package io.accordiondb.internal.inspect;

import org.jspecify.annotations.NullMarked;

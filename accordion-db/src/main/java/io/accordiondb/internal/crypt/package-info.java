// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Encryption at rest: a storage whose files are sealed by AES-GCM under a data key each. All other
 * packages see their files as if they were plain.
 */
@NullMarked
package io.accordiondb.internal.crypt;

import org.jspecify.annotations.NullMarked;

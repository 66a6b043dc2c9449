// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Encryption at rest: a storage whose files are sealed by AES-GCM. All other packages see their
 * files as if they were plain. Start with {@link io.accordiondb.internal.crypt.EncryptedStorage}.
 *
 * <p>Each file has a data key of its own, wrapped by a key of the application's provider. Sorted
 * tables are sealed in pages, which are read at random. All other files are sealed in a frame for
 * each append, because a page that is half full could not be sealed again under the same nonce.
 *
 * <p>Where bytes cannot be opened, readers get a filler that fits no checksum. So damage, torn
 * tails, recovery modes and repairs work as they do for plain files. A file whose key is missing
 * throws {@code KeyUnavailableException} and is never changed.
 */
@NullMarked
package io.accordiondb.internal.crypt;

import org.jspecify.annotations.NullMarked;

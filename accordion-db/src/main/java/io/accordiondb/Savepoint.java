// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A point in a {@link Transaction} to which its writes can be rolled back. {@link
 * Transaction#savepoint} makes one; it belongs to that transaction.
 */
public interface Savepoint {}

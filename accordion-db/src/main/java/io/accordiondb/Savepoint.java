// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A point within a {@link Transaction} to which its writes can be taken back. Made by {@link
 * Transaction#savepoint}; belongs to that transaction.
 */
public interface Savepoint {}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** Which concurrent changes make the commit of a {@link Transaction} fail. */
public enum Isolation {
  /**
   * The commit fails if a row that the transaction has written, or read for update, was written by
   * another transaction or write since the transaction began. No update is lost. Two transactions
   * that each read what the other writes may both commit (write skew).
   */
  SNAPSHOT,
  /**
   * The commit also fails if a row that the transaction has read, or a row within a range that it
   * has scanned, was written since the transaction began. Transactions that all use this level have
   * the effect of running one after another. One that writes nothing, and reads nothing for update,
   * always commits. Until its end, a transaction keeps on the heap the key of each row that it has
   * read by a get, and one entry for each scan.
   */
  SERIALIZABLE
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.tests;

/** A test asks its cluster for a part that a database in one process does not have. */
public final class NotInOneProcessException extends UnsupportedOperationException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param asked the method that the test calls
   * @param reason why one process has no answer
   */
  public NotInOneProcessException(String asked, String reason) {
    super(asked + ": " + reason);
  }
}

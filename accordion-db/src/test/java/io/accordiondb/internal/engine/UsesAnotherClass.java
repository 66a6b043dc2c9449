// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

/** Makes the JVM load a class when it runs for the first time. */
public final class UsesAnotherClass implements Runnable {
  @Override
  public void run() {
    Another.initialize();
  }

  private static final class Another {
    static void initialize() {}
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import sun.misc.Signal;

/**
 * Runs another main class until the process that started this one is gone.
 *
 * <p>Standard input is a pipe of the parent. It ends when the parent does, also by SIGKILL, and
 * then this process halts, so that no orphan stays. It ignores SIGINT: Ctrl-C reaches the whole
 * group of a terminal's processes, but the parent alone decides about the order in which they stop.
 */
final class WatchedMain {
  private static final int PARENT_GONE = 143;

  private WatchedMain() {}

  /**
   * Runs a main class.
   *
   * @param arguments its name, and its arguments
   */
  public static void main(String[] arguments) throws Throwable {
    Signal.handle(new Signal("INT"), ignored -> {});
    Thread watcher = new Thread(WatchedMain::watch, "parent watcher");
    watcher.setDaemon(true);
    watcher.start();
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void watch() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing.
      }
    } catch (IOException e) {
      // The pipe is broken, so the parent is gone as well.
    }
    Runtime.getRuntime().halt(PARENT_GONE);
  }
}

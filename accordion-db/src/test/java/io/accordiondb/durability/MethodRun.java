// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one method of a test class, and notes how it ends. */
final class MethodRun implements TestExecutionListener {
  /** Nothing that the build has registered for its own run. */
  private static final LauncherConfig CONFIG =
      LauncherConfig.builder()
          .enableLauncherSessionListenerAutoRegistration(false)
          .enableLauncherDiscoveryListenerAutoRegistration(false)
          .enablePostDiscoveryFilterAutoRegistration(false)
          .enableTestExecutionListenerAutoRegistration(false)
          .build();

  private int ended;
  private @Nullable Throwable failure;
  private @Nullable String left;

  private MethodRun() {}

  /**
   * Runs a test method, with each of its arguments if it has some.
   *
   * @return what it has thrown, with the first arguments with which it failed; null if it has
   *     passed
   * @throws IllegalStateException if there is no such test, or not all of it was run
   */
  static @Nullable Throwable failureOf(Class<?> type, String name) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectMethod(type, method(type, name)))
            .filters(EngineFilter.includeEngines("junit-jupiter"))
            .build();
    MethodRun run = new MethodRun();
    LauncherFactory.create(CONFIG).execute(request, run);
    if (run.left != null || (run.failure == null && run.ended == 0)) {
      throw new IllegalStateException(
          type.getName() + "#" + name + " was not run" + (run.left == null ? "" : run.left));
    }
    return run.failure;
  }

  private static Method method(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(type.getName() + " has no method " + name));
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    left = ": " + reason;
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    if (identifier.isTest()) {
      ended++;
    }
    Throwable thrown = result.getThrowable().orElse(null);
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      left = ": " + thrown;
    } else if (failure == null) {
      failure = thrown;
    }
  }
}

// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.tests;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs one test class of HBase's with JUnit 4, for which it is written, and sorts the outcomes. */
final class ClassRun extends RunListener {
  private static final String PACKAGE = "org.apache.hadoop.hbase.";

  /** What the client says of operations that it does not have. */
  private static final Pattern UNSUPPORTED =
      Pattern.compile("not (supported by the|available in an) embedded store: ");

  private static final Pattern CAST =
      Pattern.compile(
          "(?:io\\.accordiondb\\.hbase\\.client|Proxy)\\S+ cannot be cast to class"
              + " org\\.apache\\.hadoop\\.hbase\\.client\\.(\\w+)");

  private final String name;
  private final MethodList list;
  private final MethodList defects;
  private final List<Description> methods = new ArrayList<>();
  private final Map<Description, Throwable> failures = new LinkedHashMap<>();
  private final Map<String, String> skipped = new TreeMap<>();
  private final Map<String, String> skippedDefects = new TreeMap<>();

  private ClassRun(String name, MethodList list, MethodList defects) {
    this.name = name;
    this.list = list;
    this.defects = defects;
  }

  /**
   * Runs a class.
   *
   * @param name the class, without the package of HBase
   * @param list the methods that cannot apply
   * @param defects the methods that are known to fail
   * @return what its methods came to
   */
  static ClassResult run(String name, MethodList list, MethodList defects)
      throws ClassNotFoundException {
    ClassRun run = new ClassRun(name, list, defects);
    long start = System.nanoTime();
    JUnitCore core = new JUnitCore();
    core.addListener(run);
    PrintStream out = System.out;
    // HBase's tests print what they read.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    try {
      core.run(run.request(Class.forName(PACKAGE + name)));
    } finally {
      System.setOut(out);
      // A class may leave its clock behind.
      EnvironmentEdgeManager.reset();
    }
    return run.result((System.nanoTime() - start) / 1_000_000);
  }

  private Request request(Class<?> type) {
    Request all = Request.aClass(type);
    return all.filterWith(
        new Filter() {
          @Override
          public boolean shouldRun(Description description) {
            return description.isTest()
                ? !waits(list, description, skipped) && !waits(defects, description, skippedDefects)
                : description.getChildren().stream().anyMatch(this::shouldRun);
          }

          @Override
          public String describe() {
            return "methods that end";
          }
        });
  }

  private boolean waits(MethodList from, Description description, Map<String, String> target) {
    String method = method(description);
    boolean waits = from.waits(simpleName(), method);
    if (waits) {
      target.put(method, from.reason(simpleName(), method).orElseThrow());
    }
    return waits;
  }

  @Override
  public void testRunStarted(Description all) {
    addMethods(all);
  }

  private void addMethods(Description description) {
    if (description.isTest()) {
      methods.add(description);
    } else {
      description.getChildren().forEach(this::addMethods);
    }
  }

  @Override
  public void testIgnored(Description description) {
    methods.remove(description);
  }

  @Override
  public void testAssumptionFailure(Failure failure) {
    methods.remove(failure.getDescription());
  }

  @Override
  public void testFailure(Failure failure) {
    failures.putIfAbsent(failure.getDescription(), failure.getException());
  }

  private ClassResult result(long millis) {
    Map<String, String> failed = new TreeMap<>(skippedDefects);
    Map<String, String> notApplicable = new TreeMap<>(skipped);
    Set<String> passed = new TreeSet<>();
    for (Description each : methods) {
      String method = method(each);
      Throwable failure = failures.getOrDefault(each, failureOfClass());
      Optional<String> listed = list.reason(simpleName(), method);
      if (failure == null && listed.isPresent()) {
        failed.put(method, "passes, but is listed as: " + listed.get());
      } else if (failure == null) {
        passed.add(method);
      } else {
        listed
            .or(() -> reason(failure))
            .ifPresentOrElse(
                reason -> notApplicable.put(method, reason),
                () -> failed.put(method, describe(failure)));
      }
    }
    // A method that runs once per parameter counts once, with its worst outcome.
    notApplicable.keySet().removeAll(failed.keySet());
    passed.removeAll(failed.keySet());
    passed.removeAll(notApplicable.keySet());
    return new ClassResult(name, passed.size(), notApplicable, failed, millis);
  }

  /** Returns what failed before the first method of the class or after its last; usually null. */
  private Throwable failureOfClass() {
    return failures.entrySet().stream()
        .filter(each -> !each.getKey().isTest())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns the name of a method without its parameters. */
  private static String method(Description description) {
    return description.getMethodName().replaceFirst("\\[.*", "");
  }

  /**
   * Returns why a failure is none of ours, if the test asked for what one process does not have.
   */
  private static Optional<String> reason(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage());
      Matcher cast = CAST.matcher(message);
      if (each instanceof NotInOneProcessException
          || (each instanceof UnsupportedOperationException
              && UNSUPPORTED.matcher(message).find())) {
        return Optional.of(message.replaceFirst("the coprocessor \\S+", "a coprocessor"));
      } else if (each instanceof ClassCastException && cast.find()) {
        return Optional.of("casts what it gets to HBase's own class " + cast.group(1));
      } else if (each instanceof TableNotFoundException && message.equals("hbase:meta")) {
        return Optional.of("reads hbase:meta, in which a cluster keeps where its regions are");
      }
    }
    return Optional.empty();
  }

  private static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder(failure.toString());
    for (StackTraceElement frame : failure.getStackTrace()) {
      text.append("\n        at ").append(frame);
    }
    if (failure.getCause() != null) {
      text.append("\n    caused by ").append(describe(failure.getCause()));
    }
    return text.toString();
  }
}

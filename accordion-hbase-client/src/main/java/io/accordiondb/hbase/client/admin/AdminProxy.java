// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.admin.OperationTable.Operation;
import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.jspecify.annotations.Nullable;

/**
 * Makes HBase's interfaces from a table of operations. A method calls, in this order:
 *
 * <ol>
 *   <li>the operation with its name and parameters;
 *   <li>if it is named {@code ...Async} and returns a future, the operation without that ending. It
 *       is done when the method returns, so a refusal is thrown as by HBase, and nothing is lost if
 *       the connection is closed next;
 *   <li>the interface's own default method;
 *   <li>nothing: it throws {@link UnsupportedOperationException}, which names it.
 * </ol>
 *
 * <p>Methods of {@link AsyncAdmin} run operations on the executor, and fail through their futures.
 */
final class AdminProxy {
  private static final String ASYNC = "Async";
  private static final Object[] NO_ARGUMENTS = {};

  /**
   * Methods that also work after the connection was closed. They declare no exception that would
   * say that it is closed.
   */
  private static final Set<String> OF_THE_CLIENT =
      Set.of(
          "close",
          "abort",
          "isAborted",
          "getConnection",
          "getConfiguration",
          "getOperationTimeout",
          "getSyncWaitTimeout",
          "coprocessorService");

  private final OperationTable operations;
  private final Executor executor;
  private final BooleanSupplier closed;

  private AdminProxy(OperationTable operations, Executor executor, BooleanSupplier closed) {
    this.operations = operations;
    this.executor = executor;
    this.closed = closed;
  }

  /**
   * Returns an administration whose methods return when the operation is done.
   *
   * @param closed says whether the connection is closed, which ends the administration
   */
  static Admin blocking(OperationTable operations, BooleanSupplier closed) {
    AdminProxy proxy = new AdminProxy(operations, Runnable::run, closed);
    return make(Admin.class, proxy::callBlocking);
  }

  /**
   * Returns an administration that returns futures.
   *
   * @param closed says whether the connection is closed, which ends the administration; an executor
   *     of the program goes on after that
   */
  static AsyncAdmin async(OperationTable operations, Executor executor, BooleanSupplier closed) {
    AdminProxy proxy = new AdminProxy(operations, executor, closed);
    return make(AsyncAdmin.class, proxy::callAsync);
  }

  private static <T> T make(Class<T> type, InvocationHandler handler) {
    InvocationHandler withObjectMethods =
        (proxy, method, arguments) ->
            method.getDeclaringClass() == Object.class
                ? callOfObject(type, proxy, method, arguments)
                : handler.invoke(proxy, method, arguments == null ? NO_ARGUMENTS : arguments);
    return type.cast(
        Proxy.newProxyInstance(
            AdminProxy.class.getClassLoader(), new Class<?>[] {type}, withObjectMethods));
  }

  private static Object callOfObject(
      Class<?> type, Object proxy, Method method, @Nullable Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> type.getSimpleName() + " of an embedded store";
    };
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The caller of the interface gets it.
  private @Nullable Object callBlocking(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    if (closed.getAsBoolean() && !OF_THE_CLIENT.contains(method.getName())) {
      throw ClosedConnection.failure();
    }
    Operation operation = operations.find(method);
    if (operation != null) {
      return operation.call(arguments);
    }
    if (method.getName().endsWith(ASYNC) && method.getReturnType() == Future.class) {
      String name = method.getName().substring(0, method.getName().length() - ASYNC.length());
      Operation blocking = operations.find(name, method);
      if (blocking != null) {
        return CompletableFuture.completedFuture(blocking.call(arguments));
      }
    }
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    throw unsupported(method);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The caller of the interface gets it.
  private Object callAsync(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    if (closed.getAsBoolean()) {
      return CompletableFuture.failedFuture(ClosedConnection.failure());
    }
    Operation operation = operations.find(method);
    if (operation != null) {
      return submit(operation, arguments);
    }
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    return CompletableFuture.failedFuture(unsupported(method));
  }

  private CompletableFuture<@Nullable Object> submit(
      Operation operation, @Nullable Object[] arguments) {
    CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
    try {
      executor.execute(() -> complete(future, operation, arguments));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(ClosedConnection.failure(e));
    }
    return future;
  }

  private static void complete(
      CompletableFuture<@Nullable Object> future,
      Operation operation,
      @Nullable Object[] arguments) {
    try {
      future.complete(operation.call(arguments));
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }

  private static UnsupportedOperationException unsupported(Method method) {
    return new UnsupportedOperationException(
        method.getDeclaringClass().getSimpleName()
            + "."
            + method.getName()
            + " is not available in an embedded store: one process has all tables, and no "
            + "servers, coprocessors, replication, quotas or procedures");
  }
}

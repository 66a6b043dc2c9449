// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests of JUnit 5 HBase's connection to an empty database in memory, as a parameter of type
 * {@link Connection}, {@link Admin}, {@link AsyncConnection} or {@link Configuration}.
 *
 * <pre>{@code
 * @ExtendWith(EmbeddedHBaseExtension.class)
 * class OrdersTest {
 *   @Test
 *   void storesAnOrder(Connection connection) throws IOException {
 *     new Orders(connection).store(order);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test has a database of its own, which its {@code @BeforeEach} and {@code @AfterEach}
 * methods share. If a {@code @BeforeAll} method takes a parameter, all tests of the class share one
 * database. The extension closes what it has given. The database starts when the first parameter is
 * asked for, so a test without one costs nothing. Tests may run concurrently.
 */
public final class EmbeddedHBaseExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(EmbeddedHBaseExtension.class);
  private static final Set<Class<?>> TYPES =
      Set.of(Connection.class, Admin.class, AsyncConnection.class, Configuration.class);

  private final Configuration configuration;

  /** Creates an extension with HBase's default configuration. */
  public EmbeddedHBaseExtension() {
    this(EmbeddedHBase.defaults());
  }

  /**
   * Creates an extension, for a field with {@code @RegisterExtension}.
   *
   * @param configuration the configuration of the connections; is copied for each database
   */
  public EmbeddedHBaseExtension(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Takes parameters of methods; a constructor would run before it is known which test it is for.
   */
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getDeclaringExecutable() instanceof Method
        && TYPES.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    EmbeddedHBase database = databaseOf(context);
    Class<?> type = parameter.getParameter().getType();
    try {
      if (type == Connection.class) {
        return database.connection();
      } else if (type == Admin.class) {
        return database.admin();
      } else if (type == AsyncConnection.class) {
        return database.asyncConnection();
      }
      return database.configuration();
    } catch (IOException e) {
      throw new ParameterResolutionException("the test has closed its connection", e);
    }
  }

  private EmbeddedHBase databaseOf(ExtensionContext context) {
    // A store asks that of the class first, which has a database if a @BeforeAll method took one.
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(EmbeddedHBase.class, key -> new Started(start()), Started.class)
        .database();
  }

  private EmbeddedHBase start() {
    try {
      return EmbeddedHBase.start(configuration);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Is closed by JUnit with the context of the test or class; from JUnit 5.13 on for the second of
   * the interfaces.
   */
  private record Started(EmbeddedHBase database) implements CloseableResource, AutoCloseable {
    @Override
    public void close() throws IOException {
      database.close();
    }
  }
}

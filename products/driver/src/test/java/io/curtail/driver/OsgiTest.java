/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.shaded.guava.common.collect.ImmutableMap;
import com.datastax.oss.protocol.internal.Frame;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import io.curtail.application.BundledApplication;
import io.curtail.selection.ReplicaLoad;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.AddressResolver;
import io.netty.util.Timer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.reactivestreams.Publisher;

/** The jars as bundles beside the driver's, in an OSGi framework: Apache Felix. */
class OsgiTest {
  /** A class of each bundle that an application installs. */
  private static final List<Class<?>> BUNDLED =
      List.of(
          AdaptivePolicy.class,
          ReplicaLoad.class,
          CqlSession.class,
          ImmutableMap.class,
          Frame.class,
          Config.class,
          MetricRegistry.class,
          Histogram.class,
          Publisher.class,
          JsonProperty.class,
          JsonFactory.class,
          ObjectMapper.class,
          ByteBuf.class,
          Channel.class,
          UnixChannel.class,
          ByteToMessageDecoder.class,
          SslHandler.class,
          AddressResolver.class,
          Timer.class);

  @TempDir private Path cache;

  @Test
  void should_plan_requests_of_an_application_in_a_bundle_of_its_own() throws Exception {
    FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).iterator().next();
    Framework framework =
        factory.newFramework(
            Map.of(
                Constants.FRAMEWORK_STORAGE,
                cache.toString(),
                // Its bundle of logging; and what HdrHistogram's asks for, which Java has no more.
                Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                "org.slf4j;version=1.7.36,javax.xml.bind"));
    try (SimulatedCluster cluster = new SimulatedCluster(3)) {
      framework.start();
      BundleContext context = framework.getBundleContext();
      List<Bundle> bundles = new ArrayList<>();
      for (Class<?> type : BUNDLED) {
        bundles.add(context.installBundle("reference:" + location(type)));
      }
      Bundle application = context.installBundle("application", bundleOf(BundledApplication.class));
      for (Bundle bundle : bundles) {
        bundle.start();
      }
      application.start();
      Object made =
          application
              .loadClass(BundledApplication.class.getName())
              .getDeclaredConstructor()
              .newInstance();
      @SuppressWarnings("unchecked")
      Function<InetSocketAddress, AutoCloseable> run =
          (Function<InetSocketAddress, AutoCloseable>) made;
      AutoCloseable policy = run.apply((InetSocketAddress) cluster.node(0, 0).getAddress());
      assertThat(policy.getClass().getName()).isEqualTo(AdaptivePolicy.class.getName());
      assertThat(policy.getClass())
          .as("of the bundle, not of this test's class path")
          .isEqualTo(bundles.get(0).loadClass(AdaptivePolicy.class.getName()))
          .isNotEqualTo(AdaptivePolicy.class);
    } finally {
      framework.stop();
      framework.waitForStop(0);
    }
  }

  private static URI location(Class<?> type) throws Exception {
    return type.getProtectionDomain().getCodeSource().getLocation().toURI();
  }

  private static InputStream bundleOf(Class<?> type) throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
    headers.putValue(Constants.BUNDLE_SYMBOLICNAME, "application");
    headers.putValue(Constants.DYNAMICIMPORT_PACKAGE, "*");
    String name = type.getName().replace('.', '/') + ".class";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes, manifest);
        InputStream classFile = type.getClassLoader().getResourceAsStream(name)) {
      jar.putNextEntry(new JarEntry(name));
      classFile.transferTo(jar);
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }
}

package orrery.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One distribution runs everywhere, so the natives of every platform are on the class path. */
class PackagedNativesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "libnetty_transport_native_epoll_x86_64.so",
                "libnetty_transport_native_epoll_aarch_64.so",
                "libnetty_transport_native_kqueue_x86_64.jnilib",
                "libnetty_transport_native_kqueue_aarch_64.jnilib",
                "libnetty_tcnative_linux_x86_64.so",
                "libnetty_tcnative_linux_aarch_64.so",
                "libnetty_tcnative_osx_x86_64.jnilib",
                "libnetty_tcnative_osx_aarch_64.jnilib",
                "netty_tcnative_windows_x86_64.dll"
            })
    void isOnTheClassPath(String library) {
        assertThat(getClass().getResource("/META-INF/native/" + library)).isNotNull();
    }
}

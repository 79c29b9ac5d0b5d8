package dev.muster.backend.kubernetes;

import java.util.Map;

/** The variables by which collectives are told which network interface to use. */
final class InterfaceVariables {
    private InterfaceVariables() {}

    static Map<String, String> of(String networkInterface) {
        return Map.of(
                "NCCL_SOCKET_IFNAME", networkInterface,
                "GLOO_SOCKET_IFNAME", networkInterface,
                "TP_SOCKET_IFNAME", networkInterface);
    }
}

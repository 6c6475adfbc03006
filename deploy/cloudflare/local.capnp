# For tests with the npm package `workerd`. It enforces no limits, so untrusted scripts do not belong there.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "codemode", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
      compatibilityFlags = ["nodejs_compat", "enable_nodejs_child_process_module", "experimental"],
      bindings = [
        (name = "LOADER", workerLoader = ()),
        (name = "CODEMODE_TOKEN", fromEnvironment = "CODEMODE_TOKEN"),
      ],
      globalOutbound = "outside",
    )),
    (name = "outside", network = (allow = ["public", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "codemode")],
);

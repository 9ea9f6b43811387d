"""Stands where SGLang's kernels would: the import succeeds, and whoever calls one is told that it is not there."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)

    def absent(*_args, **_named):
        raise NotImplementedError(f"sgl_kernel.{name} is not there")

    return absent

"""llama-server's own HTTP server, from a package that holds it as a library."""

import signal
import sys

import xllamacpp

model, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {"pocket"}
params.port = int(port)
params.n_ctx = 3072
params.n_parallel = 2
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.endpoint_metrics = True
server = xllamacpp.Server(params)
signal.pause()

/** Telemetry answers one question: what is the service doing? Never prompt text, never a secret. */
export { createLogger, type LoggerOptions, type LogWriter } from './create-logger.ts';
export { createMetrics, type MetricsRegistry } from './create-metrics.ts';
export { metricsDocument } from './metrics-document.ts';

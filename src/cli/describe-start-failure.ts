import type { HelperSettings } from '../config/settings.ts';

/**
 * One sentence about what the machine refused: the port, the address, the storage or a file. Undefined for any other error, which is a
 * startup fault or a mistake in our code.
 */
export function describeStartFailure(error: unknown, settings: HelperSettings): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const port = portOf(error) ?? settings.server.port;
  const { host } = settings.server;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${String(port)} is in use: stop the program that has it, or set another one with ${portSetting(port, settings)}.`;
    case 'EACCES':
      if (!isListening(error)) break;
      return `Port ${String(port)} may not be used by this user: set one above 1023 with ${portSetting(port, settings)}.`;
    case 'STORAGE_UNUSABLE':
      return error.message;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine: set server.host to one, or to 0.0.0.0 for all.`;
  }
  return `The server cannot start: ${error.message}`;
}

/** The setting that chose a port: the metrics may have a port of their own. */
function portSetting(port: number, { server, endpoints }: HelperSettings): string {
  const isMetrics = port !== server.port && port === endpoints.metrics.port;
  return isMetrics
    ? 'endpoints.metrics.port (HELPER__ENDPOINTS__METRICS__PORT)'
    : 'server.port (HELPER__SERVER__PORT=8081)';
}

function portOf(error: Error): number | undefined {
  return 'port' in error && typeof error.port === 'number' ? error.port : undefined;
}

function isListening(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'listen';
}

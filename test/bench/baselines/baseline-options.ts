import { parseArgs } from 'node:util';

/** What every baseline is told on its command line. */
export interface BaselineOptions {
  readonly port: number;
  readonly upstreamPort: number;
  readonly model: string;
}

/** Reads `--port`, `--upstream-port` and `--model`. */
export function readBaselineOptions(): BaselineOptions {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, 'upstream-port': { type: 'string' }, model: { type: 'string', default: '' } },
  });
  return { port: Number(values.port), upstreamPort: Number(values['upstream-port']), model: values.model };
}

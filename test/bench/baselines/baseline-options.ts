import { parseArgs } from 'node:util';

/** The options that every baseline gets on its command line. */
export interface BaselineOptions {
  readonly port: number;
  readonly upstreamPort: number;
  readonly model: string;
}

/** Reads `--port`, `--upstream-port` and `--model`. The process ends with the run that started it, even when that was killed. */
export function readBaselineOptions(): BaselineOptions {
  process.on('disconnect', () => process.exit(0));
  const { values } = parseArgs({
    options: { port: { type: 'string' }, 'upstream-port': { type: 'string' }, model: { type: 'string', default: '' } },
  });
  return { port: Number(values.port), upstreamPort: Number(values['upstream-port']), model: values.model };
}

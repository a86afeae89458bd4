import { describe, expect, it } from 'vitest';
import { saidOnce } from '../../../../src/adapters/telemetry/said-once.ts';
import { recordingLogger } from '../../../support/quiet.ts';

/** Plays these results of exports. Returns what was logged and what the SDK was told. */
function played(...results: readonly { readonly code: number; readonly error?: Error }[]) {
  const log = recordingLogger();
  const left = [...results];
  const exporter = saidOnce(
    {
      export(_batch: string, done: (result: { readonly code: number; readonly error?: Error }) => void) {
        done(left.shift() ?? { code: 0 });
      },
    },
    'traces',
    log,
  );
  const told: number[] = [];
  for (const batch of results.keys()) exporter.export(String(batch), ({ code }) => told.push(code));
  return { lines: log.lines.map(({ level, fields, message }) => ({ level, message, ...fields })), told };
}

const failed = (error: Error) => ({ code: 1, error });

describe('failures of an export (contract/operations.md#traces)', () => {
  // proves wire-6-46
  it('are said once until it works again, and that is said too', () => {
    const refused = failed(new Error('connect ECONNREFUSED'));
    const { lines, told } = played(refused, refused, { code: 0 }, { code: 0 }, refused);
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info', 'warn']);
    expect(lines[0]).toMatchObject({ what: 'traces', reason: 'connect ECONNREFUSED' });
    // The SDK is told only successes. Otherwise it would write each failure to the console.
    expect(told).toEqual([0, 0, 0, 0, 0]);
  });

  it('name the cause of a failed connect, and no query of an address', () => {
    const cause = Object.assign(new Error('connect to http://otel?key=secret'), { code: 'ECONNREFUSED' });
    const { lines } = played(failed(new AggregateError([cause], '')));
    expect(lines[0]).toMatchObject({ reason: expect.stringContaining('(ECONNREFUSED)') as string });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const logger = pathToFileURL(join(import.meta.dirname, '../../src/app/open-logger.ts')).href;

describe('an error in the log (contract/configuration.md#faults)', () => {
  it('has no query of an address in its message, its stack and its fields', async () => {
    const program = `import { openLogger } from ${JSON.stringify(logger)};
      const { logger, flush } = await openLogger({ level: 'info', format: 'json' });
      const fault = await fetch('http://[host/?key=query-secret-1').catch((error) => error);
      logger.error({ error: fault }, 'it failed');
      logger.error({ error: fault.cause }, 'because');
      logger.error({ error: 'only a text' }, 'no error');
      await flush();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('Failed to parse URL from http://[host/?***');
    expect(stdout).toContain('only a text');
    expect(stdout).not.toContain('query-secret-1');
  });
});

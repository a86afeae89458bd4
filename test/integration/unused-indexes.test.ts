import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder, writeFiles } from '../support/document-folder.ts';
import { realServer } from '../support/real-server.ts';

// proves service-2.11-96
it('is gone after a restart without its folder, and no other file is', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, {
    'help/a.markdown': '# Returns\n\nThirty days.',
    'staff/b.markdown': '# Salaries\n\nFive thousand.',
  });
  const data = join(folder, 'data');
  const config = join(folder, 'helper.yaml');
  const run = async (...sources: readonly string[]): Promise<readonly string[]> => {
    const ragSources = sources.map((name) => ({ type: 'files', name, path: name }));
    const settings = { appName: 'Shop', chatClient: 'demo', models: { demo: { provider: 'demo' } }, actions: 'none' };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ ...settings, useRag: true, ragSources }));
    const storage = { HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: data };
    const { server, url } = await realServer(storage, config);
    await vi.waitFor(
      async () => {
        const { status } = (await (await fetch(`${url}/readyz`)).json()) as { readonly status: string };
        expect(status).toBe('ready');
      },
      { interval: 50 },
    );
    await server.close();
    return readdirSync(data).filter((name) => name.startsWith('documents-'));
  };
  const both = await run('help', 'staff');
  expect(both).toEqual([
    expect.stringMatching(/^documents-help-.*sqlite$/),
    expect.stringMatching(/^documents-staff-.*sqlite$/),
  ]);
  const [ofHelp = '', ofStaff = ''] = both;
  writeFileSync(join(data, `${ofStaff}.damaged`), 'put aside');
  writeFileSync(join(data, 'documents-of-mine.sqlite'), 'not an index');
  mkdirSync(join(data, 'documents'));
  expect(await run('help')).toEqual([ofHelp, 'documents-of-mine.sqlite']);
});

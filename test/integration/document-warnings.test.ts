import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { callbackSecret } from '../support/callback-receiver.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const http = { type: 'http', name: 'help', url: 'http://127.0.0.1/', secret: callbackSecret };
const plain = `export default { name: 'plain' };`;
const shelf = `export default { name: 'shelf', providers: { ragSources: [{ name: 'shelf', search: () => [] }] } };`;
const nothing =
  'useRag is on, but there is no source of documents: give ragSources, or providers.ragSources of a plugin.';
const unused = 'ragSources has no effect: set useRag: true, or take it out.';

describe('documents that cannot be found (contract/knowledge.md)', () => {
  // proves service-2.11-42
  it.each<[string, object, { readonly plugin?: string; readonly callbacks?: readonly object[] }, readonly object[]]>([
    ['useRag without a source', { useRag: true }, { plugin: plain }, [{ code: 'HLP1040', message: nothing }]],
    ['sources without useRag', { ragSources: [http] }, { plugin: plain }, [{ code: 'HLP1036', message: unused }]],
    ['neither', {}, { plugin: plain }, []],
    ['useRag with a source of the configuration', { useRag: true, ragSources: [http] }, { plugin: plain }, []],
    ['useRag with a source of a plugin', { useRag: true }, { plugin: shelf }, []],
    ['a source of a plugin without useRag', {}, { plugin: shelf }, []],
    [
      'useRag with a callback, which may have the hook search',
      { useRag: true },
      { callbacks: [{ name: 'erp', url: 'http://127.0.0.1/', secret: callbackSecret }] },
      [],
    ],
  ])('are what helper check warns of: %s', async (_, settings, parts, wanted) => {
    const { directory, configuration } = await scriptedConfiguration({ scripts: [], settings, ...parts });
    const file = join(directory, 'helper.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(configuration));
    const context = fakeContext(directory);
    await runCommand(['check', '--json', '--config', file], context);
    const { warnings } = JSON.parse(context.written()) as { readonly warnings: readonly { readonly code: string }[] }; // as the command writes it
    expect(warnings.filter(({ code }) => /^HLP(104\d|1036)$/.test(code))).toEqual(
      wanted.map((warning) => expect.objectContaining(warning) as unknown),
    );
  });
});

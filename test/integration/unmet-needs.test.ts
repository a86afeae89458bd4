import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

type Options = Parameters<typeof scriptedConfiguration>[0];

/** What `helper check` warns of under a code. */
async function warned(code: string, options: Partial<Options>): Promise<readonly string[]> {
  const { directory, configuration } = await scriptedConfiguration({ scripts: [], ...options });
  const file = join(directory, 'helper.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(configuration));
  const context = fakeContext(directory);
  expect(await runCommand(['check', '--json', '--config', file], context)).toBe(0);
  const { warnings } = JSON.parse(context.written()) as {
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  }; // as the command writes it
  return warnings.filter((warning) => warning.code === code).map(({ message }) => message);
}

const guard = `export default { name: 'test', hooks: { inputGuardrail: () => true } };`;
const blocking = { safetyCheckFailure: 'Block' };
const unchecked =
  'safetyCheckFailure has no effect: set enableSafetyCheck: true or enableOutputSafetyCheck: true or inputGuardrail or outputGuardrail, or take it out.';

describe('settings without effect (HLP1036)', () => {
  // proves configuration-10-01
  it('are what helper check warns of, with what to change', async () => {
    expect(await warned('HLP1036', { settings: { ...blocking, ragResultCount: 2 } })).toEqual([
      'ragResultCount has no effect: set useRag: true, or take it out.',
      unchecked,
    ]);
  });

  // proves configuration-10-02
  it('are none where a plugin checks', async () => {
    expect(await warned('HLP1036', { plugin: guard, settings: blocking })).toEqual([]);
  });

  // proves configuration-10-02
  it('are none while a callback has not told what it checks', async () => {
    const away = await startCallback(json({}, 500));
    const callbacks = [{ name: 'erp', url: away.url, secret: callbackSecret }];
    expect(await warned('HLP1036', { callbacks, settings: blocking })).toEqual([]);
  });
});

describe('names in lists that name nothing (HLP1037)', () => {
  const hosted = { name: 'erp', url: 'https://erp.example/mcp', allowedTools: ['find'] };

  // proves configuration-10-03
  it.each<[string, object, readonly string[]]>([
    [
      'a tool that is to ask',
      { hostedMcpServers: [{ ...hosted, alwaysRequireApprovalTools: ['fnd'] }] },
      [
        'hostedMcpServers[0].alwaysRequireApprovalTools names "fnd", which is none of the allowedTools of its entry, so it does nothing (did you mean "find"?).',
      ],
    ],
    [
      'a tool that is not to ask',
      { hostedMcpServers: [{ ...hosted, neverRequireApprovalTools: ['other'] }] },
      [
        'hostedMcpServers[0].neverRequireApprovalTools names "other", which is none of the allowedTools of its entry, so it does nothing.',
      ],
    ],
    [
      'any tool of a server that lists none',
      { hostedMcpServers: [{ ...hosted, allowedTools: undefined, neverRequireApprovalTools: ['other'] }] },
      [],
    ],
    [
      'what is said of a tool of an MCP server',
      {
        mcpServers: [
          {
            name: 'erp',
            serverUrl: 'https://erp.example/mcp',
            allowedTools: ['find_item'],
            tools: { find_itm: { readOnly: true } },
          },
        ],
      },
      [
        'mcpServers[0].tools names "find_itm", which is none of the allowedTools of its entry, so it does nothing (did you mean "find_item"?).',
      ],
    ],
    [
      'a price',
      {
        modelPricing: { 'scriptd-1': { inputPer1M: 1, outputPer1M: 2 } },
        models: { main: { provider: 'openai', model: 'scripted-1', apiKey: 'none' } },
        chatClient: 'main',
      },
      [
        'modelPricing names "scriptd-1", which is the name of no model, so it does nothing (did you mean "scripted-1"?).',
      ],
    ],
    [
      'a server of the menu',
      {
        mcpServers: [{ name: 'erp', serverUrl: 'https://erp.example/mcp' }],
        client: { showMcpStatus: true, hasMcpServers: true, mcpServerNames: ['epr'] },
      },
      ['client.mcpServerNames names "epr", which is no entry of mcpServers, so it does nothing (did you mean "erp"?).'],
    ],
    [
      'a remote agent of the menu',
      {
        remoteAgents: [{ name: 'Warehouse', description: 'd', agentCardUrl: 'http://a.example' }],
        client: { showA2AStatus: true, hasRemoteAgents: true, remoteAgentDisplays: [{ name: 'Warehose' }] },
      },
      [
        'client.remoteAgentDisplays names "Warehose", which is no remote agent, so it does nothing (did you mean "Warehouse"?).',
      ],
    ],
    [
      'a tool of the server that asks nobody',
      { requiresApproval: ['route_to_specialist', 'load_skill'] },
      [
        'requiresApproval[0] names "route_to_specialist", which asks nobody, so it does nothing: name the tools of whoever is handed to.',
      ],
    ],
  ])('are warned of: %s', async (_what, settings, messages) => {
    expect(await warned('HLP1037', { settings })).toEqual(messages);
  });
});

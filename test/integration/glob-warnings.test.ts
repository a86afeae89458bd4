import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const plugin = `export default { name: 'test', actions: ['cancel_order', 'get_order'].map((name) => (
  { name, description: 'd', parameters: { type: 'object' }, execute() {} })) };`;

/** The globs that `helper check` warns of. */
async function warned(options: Partial<Parameters<typeof scriptedConfiguration>[0]>): Promise<readonly string[]> {
  const { directory, configuration } = await scriptedConfiguration({ scripts: [], ...options });
  const file = join(directory, 'helper.yaml');
  writeFileSync(file, JSON.stringify(configuration));
  const context = fakeContext(directory);
  expect(await runCommand(['check', '--json', '--config', file], context)).toBe(0);
  const { warnings } = JSON.parse(context.written()) as {
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  }; // as the command writes it
  return warnings.filter(({ code }) => code === 'HLP1035').map(({ message }) => message);
}

describe('globs of policies that match no tool (HLP1035)', () => {
  // proves configuration-1-41
  it.each<[string, object]>([
    ['requiresApproval[0]', { requiresApproval: ['cancle_order', 'get_*'] }],
    ['isReadOnlyAction[1]', { isReadOnlyAction: ['get_order', 'cancle_order'] }],
    ['killSwitch.tools[0]', { killSwitch: { tools: ['cancle_order'] } }],
    ['onToolResult[0].tool', { onToolResult: [{ tool: 'cancle_order', remove: ['/a'] }] }],
    ['onException[0].tool', { onException: [{ tool: 'cancle_order', message: 'm' }] }],
    ['autoApprovalRules[0].tool', { hitlMode: 'Native', autoApprovalRules: [{ tool: 'cancle_order' }] }],
  ])('are warned of with what was probably meant: %s', async (path, settings) => {
    expect(await warned({ plugin, settings })).toEqual([
      `${path}: "cancle_order" matches no action or tool, so it does nothing (did you mean "cancel_order"?).`,
    ]);
  });

  it('are none where they match actions, tools of the server or those that pages offer', async () => {
    const requiresApproval = ['cancel_*', 'page_*', 'load_skill'];
    expect(await warned({ plugin, settings: { requiresApproval } })).toEqual([]);
  });

  it('are none where they match an action that only a specialist has', async () => {
    const own = `export default { name: 'test', specialists: [{ name: 'Clerk', description: 'd', instructions: 'i', actions: [
      { name: 'close_case', description: 'd', parameters: { type: 'object' }, execute() {} }] }] };`;
    expect(await warned({ plugin: own, settings: { requiresApproval: ['close_*'] } })).toEqual([]);
  });

  it('are not told before every callback has told its actions', async () => {
    const away = await startCallback(json({}, 500));
    const callbacks = [{ name: 'erp', url: away.url, secret: callbackSecret }];
    expect(await warned({ callbacks, settings: { requiresApproval: ['cancle_order'] } })).toEqual([]);
  });
});

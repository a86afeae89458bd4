import { describe, expect, it } from 'vitest';
import { inProcessHelper, nextOf, allOf } from '../support/in-process-helper.ts';
import { mcpHelper, toldTo } from '../support/mcp/mcp-helper.ts';
import { startMcpServer } from '../support/mcp/real-mcp-server.ts';
import { calling, saying } from '../support/scripted-model.ts';

const parameters = {
  type: 'object',
  properties: {
    order: { type: 'integer' },
    note: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['order'],
};

describe('calls with arguments that are nearly right (contract/plugins.md#arguments-that-are-nearly-right)', () => {
  // proves service-11-60, service-11-62
  it('ask with what will run, and run it', async () => {
    const written = '```json\n{"order":"7"}\n```';
    const scripts = [calling({ name: 'cancel', arguments: written }), saying('Done.')];
    const { helper, done } = await inProcessHelper({ scripts });
    const session = await helper.session();
    const turn = session.send('cancel 7');
    const question = await nextOf(turn, 'ConfirmationRequested');
    expect(question.arguments).toMatchObject([{ name: 'order', value: 7 }]);
    await session.approve(question.actionId, true);
    expect((await allOf(turn)).at(-1)).toMatchObject({ status: 'completed' });
    expect(done).toMatchObject([{ action: 'cancel', args: { order: 7 } }]);
  });

  // proves service-11-64
  it('reach an MCP server as its schema wants them', async () => {
    const ran: unknown[] = [];
    const tool = {
      name: 'tag',
      inputSchema: parameters,
      annotations: { readOnlyHint: true },
      run: (given: unknown) => void ran.push(given),
    };
    const mcp = await startMcpServer('new', [tool]);
    const args = { order: '7', note: null, tags: '["a"]' };
    const { session, model } = await mcpHelper(
      [{ name: 'erp', serverUrl: mcp.url }],
      [calling({ name: 'tag', arguments: args }), saying('OK')],
    );
    await allOf(session.send('tag'));
    expect(ran).toEqual([{ order: 7, tags: ['a'] }]);
    expect(toldTo(model)).toEqual([expect.stringContaining('[succeeded]')]);
  });

  // proves service-11-64
  it('stay as they are where the user has typed them', async () => {
    const { helper, done } = await inProcessHelper({
      scripts: [calling({ name: 'cancel', arguments: { order: 7 } }), saying('OK')],
    });
    const session = await helper.session();
    const turn = session.send('cancel 7');
    const { actionId } = await nextOf(turn, 'ConfirmationRequested');
    await expect(session.approve(actionId, true, { arguments: { order: '8' } })).rejects.toThrow();
    await session.approve(actionId, true, { arguments: { order: 8 } });
    await allOf(turn);
    expect(done).toMatchObject([{ args: { order: 8 } }]);
  });
});

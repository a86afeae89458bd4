import { describe, expect, it } from 'vitest';
import { settingsOf } from '../support/hosted-mcp.ts';
import { allOf, inProcessHelper, nextOf } from '../support/in-process-helper.ts';
import { completed, created, replyWith, responseEvents } from '../support/responses-model.ts';

describe('what an MCP server says of its tools (contract/provenance.md#origins)', () => {
  const rules = { hitlMode: 'Native', autoApprovalRules: [{ tool: 'cancel' }] };
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'cancel', arguments: '' };
  const cancels = responseEvents(
    created('r1'),
    { type: 'response.output_item.added', output_index: 1, item: call },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"order":7}' },
    completed('r1'),
  );

  // proves service-2.17-97
  it('is read by the model before any call, so no rule approves beside it', async () => {
    const settings = settingsOf({}, rules);
    const { helper, done } = await inProcessHelper({ scripts: [cancels, replyWith('r2', [], 'Done.')], settings });
    const session = await helper.session();
    const turn = session.send('What is new?');
    const question = await nextOf(turn, 'ConfirmationRequested');
    expect(question).toMatchObject({
      action: 'cancel',
      canRemember: false,
      influencedBy: [{ origin: 'mcp', title: 'erp', silent: true }],
    });
    await session.approve(question.actionId, false);
    await allOf(turn);
    expect(done).toEqual([]);
  });
});

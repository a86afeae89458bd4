import { describe, expect, it } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const approving = { autoApproval: new AutoApproval({ rules: [() => true], maxRounds: 5 }) };

function asked(isDestructive: boolean, options: Partial<TestAssistantOptions> = {}) {
  const tool = fakeTool(isDestructive ? { requiresConfirmation: true, destructive: true } : {});
  const model = fakeModel({ toolCalls: [call('close_case', { caseId: 42 })] }, { text: 'Done.' });
  const test = testAssistant({ toolList: [tool], model, ...options });
  const session = test.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close case 42' });
  return { ...test, tool, session, turn, reader: readTurn(turn) };
}

describe('an action that cannot be undone (contract/confirmations.md, `destructive`)', () => {
  // proves extending-1-14
  it('says so in its question, which nobody can ask not to be asked again', async () => {
    const { reader, turn } = asked(true, { autoApproval: new AutoApproval({ rules: [], maxRounds: 5 }) });
    const { fields } = await reader.next('confirmation-requested');
    expect(fields).toMatchObject({ destructive: true, reason: 'declared', canRemember: false });
    await turn.stop('user');
    await turn.result;
  });

  // proves extending-1-14
  it('is approved by no rule', async () => {
    const { reader, tool, turn, assistant } = asked(true, approving);
    const { fields } = await reader.next('confirmation-requested');
    expect(tool.runs).toEqual([]);
    const answer = { actionId: String(fields['actionId']), approved: true };
    await assistant.answerConfirmation(answer, anonymousPrincipal('test'));
    await turn.result;
    expect(tool.runs).toEqual([{ caseId: 42 }]);
  });

  // proves extending-1-15
  it('is told again by the question of a restored snapshot', async () => {
    const { reader, turn, session, snapshots, assistant } = asked(true, { ...memoryStores(), ...approving });
    await reader.next('confirmation-requested');
    const snapshot = await snapshots.save(session);
    await turn.stop('user');
    await turn.result;
    const other = assistant.openSession({ channel: 'hub' });
    const { openConfirmations } = await snapshots.restore(other, snapshot);
    expect(openConfirmations.map(({ json }) => JSON.parse(json) as unknown)).toMatchObject([{ destructive: true }]);
    other.close('connection-closed');
  });

  // proves extending-1-15
  it('another question does not have the member at all', async () => {
    const { reader, turn } = asked(false);
    expect((await reader.next('confirmation-requested')).fields).not.toHaveProperty('destructive');
    await turn.stop('user');
    await turn.result;
  });
});

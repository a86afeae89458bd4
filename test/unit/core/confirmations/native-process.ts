import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { Tool } from '../../../../src/core/tools/tool.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

export const anyone = anonymousPrincipal('test');
export const idOf = (event: { readonly fields: Readonly<Record<string, unknown>> }): string =>
  String(event.fields['actionId']);

/** One process on these stores. */
export function run(
  kept: Required<Pick<TestAssistantOptions, 'journal' | 'turns'>>,
  options: Partial<TestAssistantOptions> & Pick<TestAssistantOptions, 'model'>,
) {
  const test = testAssistant({
    ...kept,
    autoApproval: new AutoApproval({ rules: [], maxRounds: null }),
    ...options,
  });
  const answer = (actionId: string, approved = true, edited?: Readonly<Record<string, unknown>>) =>
    test.assistant.answerConfirmation(
      { actionId, approved, ...(edited === undefined ? {} : { arguments: edited }) },
      anyone,
    );
  return { ...test, answer };
}

/** A first process whose turn waits for one answer. The process then ends as by SIGKILL. */
export async function waiting(tool: Tool = fakeTool(), kept = memoryStores(), until?: Promise<unknown>) {
  const first = run(kept, {
    toolList: [tool],
    model: fakeModel(
      { text: 'One moment. ', toolCalls: [call('close_case', { caseId: 42 })] },
      { text: 'Done.', ...(until && { until }) },
    ),
  });
  await first.assistant.takeUpTurns(); // as at every start
  const session = first.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close case 42' });
  const reader = readTurn(turn);
  const requested = await reader.next('confirmation-requested');
  return { kept, first, session, turn, reader, actionId: idOf(requested), requested };
}

import { describe, expect, it } from 'vitest';
import { markOf, restOfHistory } from '../../../../../src/adapters/models/langchain/service-history.ts';
import type { ChatMessage } from '../../../../../src/core/ports/chat-model.ts';
import { modelRequest } from '../../../../support/model-requests.ts';

const mark = markOf('resp_1', 'gpt', { instructions: 'Be short.' });
const asked: ChatMessage = { role: 'user', text: 'hello' };
const replied: ChatMessage = { role: 'assistant', text: 'Hello.', toolCalls: [], mark };
const messages = [asked, replied, { ...asked, text: 'bye' }];

describe('what a provider lacks (contract/sessions.md#history-of-the-provider)', () => {
  it('is what came after its last reply', () => {
    const rest = restOfHistory(modelRequest({ messages, instructions: 'Be short.' }), 'gpt');
    expect(rest).toEqual({ request: { messages: [messages[2]], instructions: '' }, previous: 'resp_1' });
  });

  // proves service-2.9-51
  it('has instructions that have changed', () => {
    const rest = restOfHistory(modelRequest({ messages, instructions: 'Be long.' }), 'gpt');
    expect(rest.request.instructions).toBe('Be long.');
  });

  it('is everything for another model, and before its first reply', () => {
    const request = modelRequest({ messages });
    expect(restOfHistory(request, 'other')).toEqual({ request, previous: undefined });
    const first = modelRequest({ messages: [asked] });
    expect(restOfHistory(first, 'gpt')).toEqual({ request: first, previous: undefined });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { RequestBodyWriter } from '../../../../../src/adapters/models/openai-wire/request-body.ts';
import type { ChatMessage } from '../../../../../src/core/ports/chat-model.ts';

describe('RequestBodyWriter (architecture.md 4)', () => {
  it('serialises tools, instructions and each message once, however often they are sent', () => {
    const writer = new RequestBodyWriter({ model: 'm', extraFields: {} });
    const tools = [{ name: 'get', description: 'Gets.', parameters: { type: 'object' } }];
    const messages: ChatMessage[] = Array.from({ length: 50 }, (_, index) => ({
      role: 'user',
      text: `message ${String(index)}`,
    }));
    const first = writer.write({ instructions: 'Help.', messages, tools, toolChoice: 'auto' });
    const stringify = vi.spyOn(JSON, 'stringify');
    const next: ChatMessage = { role: 'user', text: 'one more' };
    const second = writer.write({ instructions: 'Help.', messages: [...messages, next], tools, toolChoice: 'auto' });
    expect(stringify).toHaveBeenCalledTimes(1);
    stringify.mockRestore();
    expect(JSON.parse(second)).toEqual({
      ...(JSON.parse(first) as object),
      messages: [
        { role: 'system', content: 'Help.' },
        ...messages.map(({ text: content }) => ({ role: 'user', content })),
        { role: 'user', content: 'one more' },
      ],
    });
  });

  it('leaves out what is empty', () => {
    const writer = new RequestBodyWriter({ model: 'm', extraFields: { top_p: 1 } });
    writer.includeUsage = false;
    expect(JSON.parse(writer.write({ instructions: '', messages: [], tools: [], toolChoice: 'none' }))).toEqual({
      top_p: 1,
      model: 'm',
      stream: true,
      messages: [],
    });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { RequestBodyWriter } from '../../../../../src/adapters/models/openai-wire/request-body.ts';
import type { ChatMessage } from '../../../../../src/core/ports/chat-model.ts';
import { bluePixel } from '../../../../support/images.ts';

describe('RequestBodyWriter (docs/architecture.md)', () => {
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

  it.each([
    ['auto', undefined],
    ['none', 'none'],
    ['required', 'required'],
  ] as const)('says of tools that the choice is %s', (toolChoice, written) => {
    const tools = [{ name: 'look', description: '', parameters: { type: 'object' } }];
    const writer = new RequestBodyWriter({ model: 'm', extraFields: {} });
    const body: unknown = JSON.parse(writer.write({ instructions: '', messages: [], tools, toolChoice }));
    expect(body).toMatchObject({ tools: [{ function: { name: 'look' } }] });
    expect((body as { readonly tool_choice?: string }).tool_choice).toBe(written);
  });

  it('leaves out what is empty', () => {
    const writer = new RequestBodyWriter({ model: 'm', extraFields: { top_p: 1 } });
    const change = writer.leavingOut('stream_options', { messages: [] });
    if (change === undefined) throw new Error('the field is sent');
    const body = writer.with(change).write({ instructions: '', messages: [], tools: [], toolChoice: 'none' });
    expect(JSON.parse(body)).toEqual({
      top_p: 1,
      model: 'm',
      stream: true,
      messages: [],
    });
  });
});

describe('RequestBodyWriter and images (contract/images.md)', () => {
  const image = { name: 'cat.png', mediaType: 'image/png', data: bluePixel } as const;
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${bluePixel}` } };

  it.each([
    ['after the text', 'What is this?', [{ type: 'text', text: 'What is this?' }, picture]],
    ['alone, since servers refuse an empty text', '', [picture]],
  ])('sends them %s', (_title, text, content) => {
    const writer = new RequestBodyWriter({ model: 'm', extraFields: {} });
    const messages: ChatMessage[] = [{ role: 'user', text, images: [image] }];
    const body = writer.write({ instructions: '', messages, tools: [], toolChoice: 'auto' });
    expect(JSON.parse(body)).toMatchObject({ messages: [{ role: 'user', content }] });
  });
});

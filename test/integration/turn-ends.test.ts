import { describe, expect, it } from 'vitest';
import { textsByLanguage } from '../../src/core/language/texts.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { calling, failing, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

interface End {
  readonly result: unknown;
  readonly error: Readonly<Record<string, unknown>> | undefined;
  readonly completed: Readonly<Record<string, unknown>>;
}

/** A turn on the hub of a whole server that speaks German. */
async function turnOnHub(script: ModelScript, text: string): Promise<End> {
  const overrides = { HELPER__LANGUAGE: 'German', HELPER__MODELS__MAIN__MAXRETRIES: '0' };
  const { url } = await scriptedServer({ scripts: [script], overrides });
  const client = await RawHubClient.connect(`${url}/helper-hub`);
  client.call('SendMessage', '1', text);
  const result = await client.result('1');
  const hasFailed = client.records.some(({ target }) => target === 'ErrorOccurred');
  const error = hasFailed ? await client.event('ErrorOccurred') : undefined;
  const completed = await client.event('TurnCompleted');
  client.socket.close();
  return { result, error, completed };
}

const german = textsByLanguage.German.errors;
const turnId = expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) as unknown;
const number = expect.any(Number) as unknown;

describe('the end of a turn on the hub (contract/events.md and contract/hub.md)', () => {
  // proves wire-2-15
  it('that completed has status, text, usage and duration, and no code', async () => {
    const { result, error, completed } = await turnOnHub(saying('Hello.'), 'Hi');
    expect(error).toBeUndefined();
    expect(completed).toEqual({
      turnId,
      seq: number,
      status: 'completed',
      text: 'Hello.',
      usage: { inputTokens: 12, outputTokens: 5, model: 'scripted' },
      durationMs: number,
    });
    expect(completed['durationMs']).toBeGreaterThanOrEqual(0);
    expect(result).toEqual({ turnId: completed['turnId'], status: 'completed', text: 'Hello.' });
  });

  it.each<[string, ModelScript, string, object]>([
    // proves wire-2-15, wire-2-16, wire-3-09
    [
      'failed',
      failing(503),
      'Hi',
      { code: 'model_unavailable', message: german.model_unavailable, retryable: true, status: 'failed' },
    ],
    // proves wire-2-15, wire-2-16, wire-3-09
    [
      'was refused',
      saying('Never.'),
      'x'.repeat(4001),
      {
        code: 'message_too_long',
        message: german.message_too_long.replace('{max}', '4000'),
        retryable: false,
        status: 'refused',
      },
    ],
  ])('that %s is a result with a code, after an error in the language', async (_title, script, text, expected) => {
    const { result, error, completed } = await turnOnHub(script, text);
    const { status, code, message, retryable } = expected as Readonly<Record<string, unknown>>;
    expect(error).toEqual({ turnId: completed['turnId'], seq: number, code, message, retryable });
    expect(completed).toMatchObject({ turnId, status, code, text: '', durationMs: number });
    expect(Number(error?.['seq'])).toBeLessThan(Number(completed['seq']));
    expect(result).toEqual({ turnId: completed['turnId'], status, code, text: '' });
  });
});

describe('the length of a message to a whole server (contract/limits.md#messages)', () => {
  it.each([
    // proves service-8-01
    ['4000 characters pass', {}, 4000, 1],
    // proves service-8-01
    ['one more is refused before the model is called', {}, 4001, 0],
    // proves service-8-01
    ['with maxMessageLength: 0 there is no limit', { HELPER__MAXMESSAGELENGTH: '0' }, 100_000, 1],
  ])('%s', async (_title, overrides, length, calls) => {
    const { url, model } = await scriptedServer({ scripts: [saying('Yes.')], overrides });
    const body = { message: 'x'.repeat(length) };
    const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body });
    const { data } = await stream.next('end');
    expect(data).toMatchObject(calls === 1 ? { status: 'completed' } : { status: 'refused', code: 'message_too_long' });
    expect(model.requests).toHaveLength(calls);
  });
});

describe('a result that onToolResult cannot take (contract/errors.md#faults-of-actions)', () => {
  // proves service-2.8-02
  it('is withheld from the model and the user, and the model is told that the action ran', async () => {
    const plugin = `
      export default {
        name: 'desk',
        hooks: { onToolResult() { throw new Error('redaction broke'); } },
        actions: [{ name: 'look', description: 'Looks.', parameters: { type: 'object', additionalProperties: true }, readOnly: true,
          execute: () => ({ note: 'the secret of ann' }) }],
      };`;
    const { url, model } = await scriptedServer({
      plugin,
      scripts: [calling({ name: 'look', arguments: {} }), saying('Done.')],
    });
    const stream = await openSse(`${url}/helper/chat?message=look`);
    await stream.closed;
    const messages = model.requests[1]?.body['messages'] as readonly { role: string; content: string }[];
    const told = messages.find(({ role }) => role === 'tool')?.content;
    expect(told).toMatch(/\bran\b.*withheld/is);
    expect(`${JSON.stringify(messages)}${stream.raw()}`).not.toContain('secret of ann');
  });
});

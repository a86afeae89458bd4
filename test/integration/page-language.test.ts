import { describe, expect, it } from 'vitest';
import { textsByLanguage } from '../../src/core/language/texts.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { saying, type ScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

/** The sentence by which the model was told its language, for each request. */
function languagesAsked({ requests }: ScriptedModel): readonly (string | undefined)[] {
  return requests.map(({ body }) => /Always answer in \w+\./.exec(JSON.stringify(body['messages']))?.[0]);
}

const scripts = [saying('One.'), saying('Two.'), saying('Three.')];

describe('the language of a page (contract/assistant.md#language)', () => {
  // proves wire-21-20
  it('is that of the answer and of what the server says, where the configuration names none', async () => {
    const { url, model } = await scriptedServer({ scripts });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'Hi', { locale: 'de-AT' });
    await client.result('1');
    client.call('SendMessage', '2', ' ', { locale: 'fr' });
    await client.result('2');
    expect(await client.event('ErrorOccurred')).toMatchObject({
      message: textsByLanguage.French.errors.invalid_request,
    });
    client.call('SendMessage', '3', 'Hi', { locale: 'sw' });
    await client.result('3');
    client.socket.close();
    const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'Hi', locale: 'it' } });
    await stream.closed;
    expect(languagesAsked(model)).toEqual([
      'Always answer in German.',
      'Always answer in English.',
      'Always answer in Italian.',
    ]);
  });

  // proves wire-21-20
  it('changes nothing where the configuration names one', async () => {
    const { url, model } = await scriptedServer({ scripts, settings: { language: 'Dutch' } });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'Hi', { locale: 'de' });
    await client.result('1');
    client.socket.close();
    expect(languagesAsked(model)).toEqual(['Always answer in Dutch.']);
  });
});

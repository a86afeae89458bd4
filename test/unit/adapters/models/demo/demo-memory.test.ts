import { describe, expect, it } from 'vitest';
import { extractionAnswer, factsIn } from '../../../../../src/adapters/models/demo/demo-memory.ts';
import { DemoChatModel } from '../../../../../src/adapters/models/demo/demo-chat-model.ts';
import { Classifier } from '../../../../../src/core/classifier/classifier.ts';
import { extractFacts } from '../../../../../src/core/memory/extract-facts.ts';
import { factsPart } from '../../../../../src/core/memory/facts-part.ts';
import { captureInstruction, memoryInstruction } from '../../../../../src/core/prompt/instructions.ts';
import { CollectedText, modelRequest } from '../../../../support/model-requests.ts';
import { fact, rankingByWords } from '../../../core/memory/facts.ts';

const model = new DemoChatModel({
  ...{ language: 'English', appName: 'Desk', appDescription: '', wordDelayMs: 0 },
  ...{ pages: () => [], titleOf: () => undefined },
});

async function replyTo(
  words: string,
  facts: readonly string[] = [],
  instructions = `${memoryInstruction}\n${captureInstruction}`,
) {
  const known = factsPart(
    facts.map((text) => ({ kind: 'fact', text })),
    { userKey: 'sub:ann' },
  ).text;
  const messages = [{ role: 'user', text: known === '' ? words : `${known}\n${words}` }] as const;
  return (await model.run(modelRequest({ instructions, messages }), new CollectedText())).text;
}

describe('the demo model and the memory (contract/memory.md#capture)', () => {
  // proves service-2.10-15
  it.each([
    ['English', 'Hello! My name is Ann. I prefer short answers. Remember that we close at five.', 3],
    ['German', 'Ich heiße Anna. Ich bevorzuge kurze Antworten. Merk dir, dass wir um fünf schließen.', 3],
    ['French', 'Je m’appelle Anne. Je préfère le thé. Retenez que nous fermons à cinq heures.', 3],
    ['Italian', 'Mi chiamo Anna. Preferisco il tè. Ricorda che chiudiamo alle cinque.', 3],
    ['Spanish', 'Me llamo Ana. Prefiero el té. Recuerda que cerramos a las cinco.', 3],
    ['Portuguese', 'Chamo-me Ana. Prefiro chá. Lembre-se de que fechamos às cinco.', 3],
    ['Dutch', 'Ik heet Anna. Ik heb liever thee. Onthoud dat we om vijf uur sluiten.', 3],
    ['Polish', 'Mam na imię Anna. Wolę herbatę. Zapamiętaj, że zamykamy o piątej.', 3],
    ['Japanese', '私の名前は花子です。お茶が好きです。五時に閉まることを覚えてください。', 3],
    ['Chinese', '我叫安娜。我喜欢茶。请记住我们五点关门。', 3],
  ])('finds a fact in %s', (_language, text, count) => {
    const found = factsIn(text);
    expect(found.map(({ kind }) => kind)).toEqual(['identity', 'preference', 'fact']);
    expect(found).toHaveLength(count);
  });

  it.each(['What is my name?', 'Do you remember that?', 'Cancel order 1003.', 'I would like to see my orders.', ''])(
    'finds none in %j',
    (text) => {
      expect(factsIn(text)).toEqual([]);
    },
  );

  it('answers the question of the server what to remember, and puts a new name in the place of the old one', async () => {
    const known = [fact('My name is Ann', { kind: 'identity' })];
    const { signal } = new AbortController();
    const words = 'Call me Annie. Remember that the door is red.';
    const capture = { turnId: 't', conversationId: 'c', userKey: 'sub:ann', words, askedAt: 1 };
    const asked = { classifier: new Classifier(model), ranking: rankingByWords };
    const change = await extractFacts({ capture, facts: known, now: 1, signal }, asked);
    expect(change?.replace.map(({ id, by }) => [id, by.text])).toEqual([['My name is Ann', 'Call me Annie']]);
    expect(change?.add.map(({ text }) => text)).toEqual(['the door is red']);
  });

  it('answers no other question for JSON', () => {
    expect(extractionAnswer({ format: 'json', messages: [{ role: 'user', text: 'Is it safe?' }] })).toBeUndefined();
  });

  it.each([
    ['My name is Ann.', [], 'I will remember that.'],
    ['What do you know about me?', ['My name is Ann'], 'You have told me:\n- My name is Ann'],
    ['What is my name?', [], 'I do not remember anything about you yet.'],
    [
      'When does the warehouse close?',
      ['The warehouse closes at five', 'My name is Ann'],
      'You have told me:\n- The warehouse closes at five',
    ],
  ])('says what it remembers: %s', async (words, facts, expected) => {
    expect(await replyTo(words, facts)).toBe(expected);
  });

  it('claims to remember nothing where the server remembers nothing', async () => {
    expect(await replyTo('My name is Ann.', [], 'You help.')).not.toContain('remember');
    // The instruction for known facts alone does not mean that the server looks for new facts.
    expect(await replyTo('My name is Ann.', [], memoryInstruction)).not.toContain('will remember');
  });
});

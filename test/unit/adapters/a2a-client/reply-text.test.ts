import { Artifact, Message } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { ReplyText } from '../../../../src/adapters/a2a-client/reply-text.ts';
import { growth, mostGrowth } from '../../../support/growth.ts';

const artifact = (artifactId: string, ...parts: readonly object[]): Artifact =>
  Artifact.fromJSON({ artifactId, parts });
const message = (messageId: string, text: string): Message => Message.fromJSON({ messageId, parts: [{ text }] });

function opened(maxLength = 1_000): { readonly text: ReplyText; readonly pieces: string[] } {
  const pieces: string[] = [];
  return { text: new ReplyText((piece) => pieces.push(piece), maxLength), pieces };
}

describe('the text of a remote reply (contract/agents.md#remote-agents)', () => {
  it('grows with an artifact, whether its pieces are appended or sent in whole', () => {
    const { text, pieces } = opened();
    text.artifact(artifact('a', { text: 'One' }), false);
    text.artifact(artifact('a', { text: ', two' }), true);
    text.artifact(artifact('a', { text: 'One, two, three' }), false);
    text.artifact(artifact('a', { text: 'One, two, three' }), false);
    expect(pieces).toEqual(['One', ', two', ', three']);
    expect(text.whole).toBe('One, two, three');
  });

  it('puts an empty line between messages and artifacts', () => {
    const { text } = opened();
    text.message(message('m', 'I look.'));
    text.artifact(artifact('a', { text: 'One' }), false);
    text.artifact(artifact('b', { text: 'Two' }), false);
    text.artifact(artifact('a', { text: ' more' }), true);
    expect(text.whole).toBe('I look.\n\nOne\n\nTwo\n\n more');
  });

  // proves service-2.18-08
  it('tells a message once that comes twice, or that repeats the last artifact', () => {
    const { text } = opened();
    text.message(message('m', 'I look.'));
    text.message(message('m', 'I look.'));
    text.artifact(artifact('a', { text: 'Twelve.' }), false);
    text.message(message('n', 'Twelve.'));
    expect(text.whole).toBe('I look.\n\nTwelve.');
  });

  it('shows an artifact that is replaced by another text after the first', () => {
    const { text } = opened();
    text.artifact(artifact('a', { text: 'Eleven.' }), false);
    text.artifact(artifact('a', { text: 'Twelve.' }), false);
    expect(text.whole).toBe('Eleven.\n\nTwelve.');
  });

  // proves service-2.18-08
  it('has data as JSON, and files by their name or address', () => {
    const { text } = opened();
    text.artifact(artifact('a', { data: { pallets: 12 } }), false);
    text.artifact(artifact('b', { url: 'https://warehouse.example/1.pdf', filename: 'list.pdf' }), false);
    text.artifact(artifact('c', { url: 'https://warehouse.example/2.pdf' }), false);
    text.artifact(artifact('d', { raw: 'AAAA', filename: 'picture.png' }), false);
    text.artifact(artifact('e', { raw: 'AAAA' }), false);
    expect(text.whole.split('\n\n')).toEqual([
      '{"pallets":12}',
      'list.pdf: https://warehouse.example/1.pdf',
      'https://warehouse.example/2.pdf',
      '[picture.png]',
    ]);
  });

  // proves service-2.18-13
  it('is cut where it is too long, and no pair of surrogates is cut', () => {
    const { text, pieces } = opened(5);
    text.artifact(artifact('a', { text: '1234' }), false);
    expect(text.isFull).toBe(false);
    text.artifact(artifact('a', { text: '😀😀' }), true);
    text.artifact(artifact('b', { text: 'more' }), false);
    expect(text.isFull).toBe(true);
    expect(pieces).toEqual(['1234', ' […]']);
  });

  it('is full once the texts that it remembers fill the memory', () => {
    const { text } = opened(100);
    for (let number = 0; number < 100 && !text.isFull; number += 1) {
      text.artifact(artifact(`${'x'.repeat(50)}${String(number)}`, { text: '.' }), false);
      text.message(message('m', String(number)));
    }
    expect(text.isFull).toBe(true);
  });

  it('takes time for what is new in it only: a hundred thousand pieces are no work', () => {
    const told = (pieces: number): void => {
      const { text } = opened(1_048_576);
      for (let piece = 0; piece < pieces; piece += 1) text.artifact(artifact('a', { text: 'word ' }), true);
      expect(text.whole).toHaveLength(5 * pieces);
    };
    // Comparing the whole with each piece is 16 times the work for four times the pieces, more than a minute of it.
    expect(growth(25_000, told)).toBeLessThan(mostGrowth);
  });

  it('tells nothing of what was told in an earlier reply, and nothing after its end', () => {
    const { text } = opened();
    text.recall(artifact('a', { text: 'Told.' }));
    text.artifact(artifact('a', { text: 'Told.' }), false);
    expect(text.whole).toBe('');
    text.close();
    text.message(message('m', 'Late.'));
    expect(text.whole).toBe('');
  });
});

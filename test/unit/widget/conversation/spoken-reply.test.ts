import { expect, it } from 'vitest';
import { spokenReply } from '../../../../src/widget/conversation/spoken-reply.ts';

it('speaks a reply without its markup', () => {
  const markdown = '## Orders\n\n- **1002** open\n- [1005](https://x.example) open\n\n`done`';
  expect(spokenReply(markdown, 'en')).toEqual({ text: 'Orders\n1002 open\n1005 open\ndone', wordsInAll: null });
});

it('speaks the beginning of a long reply and says how long it is', () => {
  const { text, wordsInAll } = spokenReply('One sentence. Another one. '.repeat(40), 'en');
  expect(text).toBe('One sentence. Another one.');
  expect(wordsInAll).toBe(160);
});

it('counts words of languages without spaces', () => {
  expect(spokenReply('注文を取り消しました。ほかにご用はありますか。'.repeat(40), 'ja').wordsInAll).toBeGreaterThan(
    200,
  );
});

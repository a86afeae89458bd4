import { describe, expect, it } from 'vitest';
import type { Origin } from '../../../../src/core/events/origin.ts';
import type { ChatMessage } from '../../../../src/core/ports/chat-model.ts';
import { influenceOf, influencesOf, joinInfluences, silenced } from '../../../../src/core/provenance/influences.ts';

const user = (text: string): ChatMessage => ({ role: 'user', text, origin: 'user' });
const reply = (origin: Origin = 'model'): ChatMessage => ({ role: 'assistant', text: 'ok', toolCalls: [], origin });
const result = (more: object = {}): ChatMessage => ({
  ...{ role: 'tool', callId: 'c', name: 'get_case', text: '[succeeded] x', origin: 'action' },
  ...more,
});

describe('which untrusted texts a model has read (contract/provenance.md#what-counts)', () => {
  it.each([
    ['messages of the user', user('hello')],
    ['replies to them', reply()],
    ['words of the server', result({ origin: 'operator' })],
    ['results of trusted actions', result({ trusted: true })],
    ['messages of version 1.0', { role: 'user', text: 'hello' }],
  ] satisfies readonly (readonly [string, ChatMessage])[])('leaves out %s', (_title, message) => {
    expect(influencesOf([message])).toEqual([]);
  });

  it.each(['action', 'document', 'web', 'mcp', 'remote', 'page'] as const)(
    'names a text of the origin %s',
    (origin) => {
      expect(influencesOf([result({ origin })])).toEqual([{ origin, title: 'get_case' }]);
      expect(influenceOf(origin, 'A title')).toEqual([{ origin, title: 'A title' }]);
    },
  );

  it('takes a result of version 1.0, which has no origin, for one of an action', () => {
    const { origin: _origin, ...old } = result();
    expect(influencesOf([old])).toEqual([{ origin: 'action', title: 'get_case' }]);
  });

  it('knows from a reply what its model had read, after that is gone from the conversation', () => {
    const influencedBy = [{ origin: 'document', title: 'Notes' }] as const;
    expect(influencesOf([user('and now?'), { ...reply(), influencedBy }])).toEqual(influencedBy);
  });

  // proves service-10-07
  it('names each text once, at most ten, the latest, and each origin at least once', () => {
    const documents = Array.from({ length: 20 }, (_, index) => influenceOf('document', `Document ${String(index)}`));
    const all = joinInfluences(influenceOf('page', 'Cases'), ...documents, ...documents);
    expect(all).toHaveLength(10);
    expect(all[0]).toEqual({ origin: 'page', title: 'Cases' });
    expect(all.at(-1)).toEqual({ origin: 'document', title: 'Document 19' });
    expect(new Set(all.map(({ title }) => title)).size).toBe(10);
  });

  // proves service-10-62
  it('keeps a text that is shown before one that is silent, and shown once it was', () => {
    const silent = silenced(influenceOf('mcp', 'erp'));
    expect(joinInfluences(influenceOf('mcp', 'erp'), silent)).toEqual([{ origin: 'mcp', title: 'erp' }]);
    expect(joinInfluences(silent, influenceOf('mcp', 'erp'))).toEqual([{ origin: 'mcp', title: 'erp' }]);
    const servers = Array.from({ length: 12 }, (_, index) => silenced(influenceOf('mcp', `server ${String(index)}`)));
    const all = joinInfluences(influenceOf('mcp', 'pay (erp)'), influenceOf('mcp', 'find (erp)'), ...servers);
    expect(all).toHaveLength(10);
    expect(all.slice(0, 2).map(({ title }) => title)).toEqual(['pay (erp)', 'find (erp)']);
  });

  // proves service-10-08
  it('makes a title one short line without invisible characters', () => {
    expect(influenceOf('page', 'a\u202e\n\u200bb')).toEqual([{ origin: 'page', title: 'a b' }]);
    expect(influenceOf('page', '\u200b')).toEqual([{ origin: 'page' }]);
    const [long] = influenceOf('page', '🙂'.repeat(500));
    expect(Array.from(long?.title ?? '')).toHaveLength(120);
    expect(long?.title?.endsWith('🙂…')).toBe(true);
  });
});

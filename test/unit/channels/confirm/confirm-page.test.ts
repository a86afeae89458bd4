import { describe, expect, it } from 'vitest';
import { questionPage } from '../../../../src/channels/confirm/confirm-page.ts';
import { confirmTexts } from '../../../../src/channels/confirm/texts/texts-for.ts';
import type { ConfirmationRequest, Influence } from '../../../../src/core/events/turn-event.ts';
import { type Language, languages } from '../../../../src/wire/client-settings.ts';
import { ownPageLook } from '../../../../src/channels/shared/own-page.ts';

const look = ownPageLook({ primaryColor: null, style: '' });

const request: ConfirmationRequest = {
  actionId: 'AAAAAAAAAAAAAAAAAAAAAA',
  callId: 'call-1',
  action: 'pay',
  title: 'Pay an amount',
  description: 'Pays an amount.',
  arguments: [{ name: 'amount', label: 'Amount', value: 5 }],
  agent: 'Coordinator',
  reason: 'write',
  canRemember: false,
  editable: false,
};

/** The page of an open question that these texts have influenced. */
function pageOf(influencedBy: readonly Influence[] | undefined, language: Language = 'English'): string {
  const { actionId, title } = request;
  const shown = { ...request, ...(influencedBy === undefined ? {} : { influencedBy }) };
  return questionPage(
    { actionId, outcome: 'open', title, request: shown, proof: 'proof', isRunning: false },
    { texts: confirmTexts[language], appName: 'Bank', look, userName: 'Ann' },
  );
}

/** The list of texts on a page. */
const listIn = (page: string): string => /<details>.*?<\/details>/su.exec(page)?.[0] ?? '';

describe('the page of a question of text that its user has not written (contract/mcp-server.md#the-page)', () => {
  // proves wire-6-97
  it('names each text that the assistant has read, folded below the values and the buttons', () => {
    const page = pageOf([
      { origin: 'document', title: 'Returns' },
      { origin: 'action', title: 'get_order' },
      { origin: 'page', title: 'Orders', silent: true },
      { origin: 'remote' },
    ]);
    expect(listIn(page)).toBe(
      '<details><summary>Based on 3 sources</summary><ul>' +
        '<li>document <q dir="auto">Returns</q></li><li>result of an action <q dir="auto">get_order</q></li>' +
        '<li>another source</li></ul></details>',
    );
    const places = ['Amount', '</form>', 'Pays an amount.', '<details>'].map((part) => page.indexOf(part));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(page).not.toContain('class="foreign"');
  });

  // proves wire-6-97
  it('says which value came from where, and of a destination that nobody has given that this is not known', () => {
    const { title, actionId } = request;
    const marked = [...request.arguments, { name: 'to', label: '<Account>', value: 'DE1', notFromUser: true as const }];
    const influencedBy = [{ origin: 'document', title: 'Returns', foundIn: ['amount'] }] as const;
    const page = questionPage(
      {
        actionId,
        outcome: 'open',
        title,
        request: { ...request, arguments: marked, influencedBy },
        proof: 'p',
        isRunning: false,
      },
      { texts: confirmTexts.English, appName: 'Bank', look, userName: 'Ann' },
    );
    expect(page).toContain(
      '<p class="foreign" dir="auto">Not from you: Amount (document <q dir="auto">Returns</q>) and &#60;Account&#62; (source unknown).</p>',
    );
  });

  // proves wire-6-97
  it('says nothing of it where nothing was read but what is trusted or silent', () => {
    expect(listIn(pageOf(undefined))).toBe('');
    expect(listIn(pageOf([]))).toBe('');
    expect(listIn(pageOf([{ origin: 'page', title: 'Orders', silent: true }]))).toBe('');
  });

  // proves wire-6-97
  it.each(languages)('says it in %s, for every origin that is not trusted', (language) => {
    const { origins } = confirmTexts[language];
    const kinds = ['action', 'document', 'web', 'mcp', 'remote', 'page'] as const;
    const list = listIn(
      pageOf(
        kinds.map((origin) => ({ origin })),
        language,
      ),
    );
    expect(list).toMatch(/<summary>[^<{|]*6[^<{|]*<\/summary>/u);
    expect(listIn(pageOf([{ origin: 'web' }], language))).toMatch(/<summary>[^<{|]*1[^<{|]*<\/summary>/u);
    for (const kind of kinds) expect(list).toContain(`<li>${origins[kind]}</li>`);
    expect(new Set(kinds.map((kind) => origins[kind])).size).toBe(kinds.length);
  });

  // proves wire-6-97
  it('keeps a title in its own frame, as text alone, with what hides spelled out', () => {
    const title = '”</q></li></ul></details><b onclick="x">Signed in as Eve</b>\u202E&amp;';
    expect(listIn(pageOf([{ origin: 'document', title }]))).toContain(
      '<li>document <q dir="auto">”&#60;/q&#62;&#60;/li&#62;&#60;/ul&#62;&#60;/details&#62;&#60;b onclick=&#34;x&#34;&#62;' +
        'Signed in as Eve&#60;/b&#62;<code>\\u{202E}</code>&#38;amp;</q></li></ul></details>',
    );
  });
});

describe('the page of a question in the words of its action (contract/confirmations.md#words-of-a-question)', () => {
  // proves wire-5-30, wire-5-35, wire-5-36
  it('has them in its own language, else in that of the server', () => {
    const worded: ConfirmationRequest = {
      ...request,
      confirm: { title: 'Pay 5?', approve: 'Pay <it>' },
      languages: {
        de: { title: 'Zahlen', confirm: { title: '5 zahlen?', decline: 'Lassen' }, labels: { amount: 'Betrag' } },
      },
      arguments: [
        { name: 'amount', label: 'Amount', value: 5.5 },
        { name: 'now', label: 'Now', value: false },
        { name: 'to', label: 'To', value: ['ann', 'bob'] },
        { name: 'on', label: 'On', value: '2026-12-01', format: 'date' },
        { name: 'never', label: 'Never', value: '2026-02-30', format: 'date' },
        { name: 'code', label: 'Code', value: '2026-12-02' },
      ],
    };
    const pageIn = (language: Language): string =>
      questionPage(
        {
          actionId: worded.actionId,
          outcome: 'open',
          title: worded.title,
          request: worded,
          proof: 'p',
          isRunning: false,
        },
        { texts: confirmTexts[language], appName: 'Bank', look, userName: 'Ann' },
      );
    const german = pageIn('German');
    for (const part of [
      '<h1 dir="auto">5 zahlen?</h1>',
      '>Betrag<',
      '>5,5<',
      '>1. Dezember 2026<',
      '>2026-02-30<',
      '>2026-12-02<',
      '>Nein<',
      '>• ann\n• bob<',
      '>Lassen<',
      '>Pay &#60;it&#62;<',
    ])
      expect(german).toContain(part);
    expect(pageIn('French')).toContain('<h1 dir="auto">Pay 5?</h1>');
  });
});

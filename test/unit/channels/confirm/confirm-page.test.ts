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
const listIn = (page: string): string => /<div class="read">.*?<\/div>/su.exec(page)?.[0] ?? '';

describe('the page of a question of text that its user has not written (contract/mcp-server.md#the-page)', () => {
  // proves wire-6-97
  it('names each text that the assistant has read, in front of what would run', () => {
    const page = pageOf([
      { origin: 'document', title: 'Returns' },
      { origin: 'action', title: 'get_order' },
      { origin: 'remote' },
    ]);
    expect(listIn(page)).toBe(
      '<div class="read"><p id="read">The assistant has read text from:</p><ul aria-labelledby="read">' +
        '<li>document <q dir="auto">Returns</q></li><li>result of an action <q dir="auto">get_order</q></li>' +
        '<li>another source</li></ul></div>',
    );
    expect(page.indexOf('class="read"')).toBeLessThan(page.indexOf('Pays an amount.'));
  });

  // proves wire-6-97
  it('says nothing of it where nothing was read but what is trusted', () => {
    expect(pageOf(undefined)).not.toContain('class="read"');
    expect(pageOf([])).not.toContain('class="read"');
    expect(pageOf(undefined)).not.toContain(confirmTexts.English.readFrom);
  });

  // proves wire-6-97
  it.each(languages)('says it in %s, for every origin that is not trusted', (language) => {
    const { origins, readFrom } = confirmTexts[language];
    const kinds = ['action', 'document', 'web', 'mcp', 'remote', 'page'] as const;
    const list = listIn(
      pageOf(
        kinds.map((origin) => ({ origin })),
        language,
      ),
    );
    expect(list).toContain(`>${readFrom}<`);
    for (const kind of kinds) expect(list).toContain(`<li>${origins[kind]}</li>`);
    expect(new Set(kinds.map((kind) => origins[kind])).size).toBe(kinds.length);
  });

  // proves wire-6-97
  it('keeps a title in its own frame, as text alone, with what hides spelled out', () => {
    const title = '”</q></li></ul></div><b onclick="x">Signed in as Eve</b>\u202E&amp;';
    expect(listIn(pageOf([{ origin: 'document', title }]))).toContain(
      '<li>document <q dir="auto">”&#60;/q&#62;&#60;/li&#62;&#60;/ul&#62;&#60;/div&#62;&#60;b onclick=&#34;x&#34;&#62;' +
        'Signed in as Eve&#60;/b&#62;<code>\\u{202E}</code>&#38;amp;</q></li></ul></div>',
    );
  });
});

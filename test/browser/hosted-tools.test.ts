import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { completed, created, responseEvents, textDelta } from '../support/responses-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const hello = responseEvents(created('r1'), textDelta('Hello.'), completed('r1'));

describeInBrowser('the tools of the provider in the menu (contract/widget.md#tools-of-the-provider)', (pages) => {
  async function greeted(settings: object) {
    const hosted = { hostedTools: ['WebSearch', 'CodeInterpreter'] };
    const { url } = await scriptedServer({ scripts: [hello], settings: { ...hosted, ...settings } });
    const opened = await pages.open(url);
    await opened.openPanel();
    await opened.say('Hi');
    await opened.log.getByText('Hello.').waitFor();
    return opened;
  }

  // proves wire-9-94
  it.each([
    ['English', 'Tools of the AI provider', ['Web search', 'Code interpreter']],
    ['Italian', 'Strumenti del fornitore dell’IA', ['Ricerca sul web', 'Interprete di codice']],
    ['French', 'Outils du fournisseur de l’IA', ['Recherche sur le Web', 'Interpréteur de code']],
    ['German', 'Werkzeuge des KI-Anbieters', ['Websuche', 'Code-Interpreter']],
    ['Spanish', 'Herramientas del proveedor de la IA', ['Búsqueda en la web', 'Intérprete de código']],
    ['Portuguese', 'Ferramentas do fornecedor da IA', ['Pesquisa na Web', 'Interpretador de código']],
    ['Dutch', 'Hulpmiddelen van de AI-aanbieder', ['Zoeken op het web', 'Code-interpreter']],
    ['Polish', 'Narzędzia dostawcy AI', ['Wyszukiwanie w sieci', 'Interpreter kodu']],
    ['Japanese', 'AIの提供元のツール', ['ウェブ検索', 'コードインタープリター']],
    ['Chinese', 'AI 提供商的工具', ['网页搜索', '代码解释器']],
  ])('are named in %s with showHostedToolsStatus', async (language, name, tools) => {
    const { page, openMenu } = await greeted({ language, showHostedToolsStatus: true });
    const list = (await openMenu()).getByRole('list', { name });
    expect(await list.getByRole('listitem').allTextContents()).toEqual(tools);
    expect(await axeViolations(page)).toEqual([]);
  });

  // proves wire-9-94
  it.each([
    [
      'not named where client turns them off',
      { showHostedToolsStatus: true, client: { showHostedToolsStatus: false } },
      0,
    ],
    ['named where client alone turns them on', { client: { showHostedToolsStatus: true } }, 1],
    ['not named by default in client', { client: { showHostedToolsStatus: null } }, 0],
  ])('are %s', async (_what, settings, count) => {
    const { openMenu } = await greeted(settings);
    expect(await (await openMenu()).getByRole('list', { name: 'Tools of the AI provider' }).count()).toBe(count);
  });

  // proves wire-9-94
  it('are not shown by default', async () => {
    const { openMenu } = await greeted({});
    expect(await (await openMenu()).getByRole('list', { name: 'Tools of the AI provider' }).count()).toBe(0);
  });

  // proves service-18-02
  it('are those of client.hostedTools until the connection has told which are on', async () => {
    const client = { showHostedToolsStatus: true, hostedTools: ['FileSearch'] };
    const { url } = await scriptedServer({ scripts: [hello], settings: { hostedTools: ['WebSearch'], client } });
    const opened = await pages.open(url);
    await opened.openPanel();
    const named = async (): Promise<readonly string[]> =>
      (await opened.openMenu())
        .getByRole('list', { name: 'Tools of the AI provider' })
        .getByRole('listitem')
        .allTextContents();
    expect(await named()).toEqual(['File search']);
    await opened.page.keyboard.press('Escape');
    await opened.say('Hi');
    await opened.log.getByText('Hello.').waitFor();
    expect(await named()).toEqual(['Web search']);
  });
});

import { describe, expect, it } from 'vitest';
import type { CallbackOffer } from '../../../src/adapters/action-callback/action-callback.ts';
import { LiveToolbox } from '../../../src/app/live-toolbox.ts';
import { yamlPages } from '../../../src/app/providers/yaml-pages.ts';
import type { OfferSource } from '../../../src/app/providers/tool-provider.ts';
import { StartupFaults } from '../../../src/core/errors/startup-fault.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { settingsWith } from '../config/load-from-text.ts';

function offering(name: string, ...toolNames: readonly string[]) {
  const offer = (names: readonly string[], pages: CallbackOffer['pages'] = []): CallbackOffer => ({
    tools: names.map((toolName) => fakeTool({ name: toolName, owner: `callback:${name}` })),
    pages,
    transformsResults: false,
    searches: false,
    checks: { input: false, output: false },
  });
  const callback = {
    name,
    offer: offer(toolNames),
    nowOffers: (names: readonly string[], pages?: CallbackOffer['pages']): void => {
      callback.offer = offer(names, pages);
    },
  };
  return callback;
}

const page = { name: 'order', title: 'Order', url: '/orders/{id}', description: 'One.', requiredRoles: [] };
const yamlPage = 'pages: [{ name: order, title: Mine, url: /mine, description: "The page of helper.yaml" }]\n';

function provided(callback: ReturnType<typeof offering>): OfferSource {
  return {
    name: `callback "${callback.name}"`,
    offer: () => callback.offer,
    placeOf: () => ({ file: 'helper.yaml', path: 'actions.callbacks[0]' }),
  };
}

function open(yaml: string, ...callbacks: readonly ReturnType<typeof offering>[]) {
  const log = recordingLogger();
  const toolbox = new LiveToolbox([yamlPages(settingsWith(yaml)), ...callbacks.map(provided)], log);
  const owners = (): unknown => Object.fromEntries(toolbox.current.tools.map(({ name, owner }) => [name, owner]));
  return { toolbox, log, owners };
}

describe('LiveToolbox (contract/plugins.md#callbacks)', () => {
  it('refuses to start when two callbacks claim a name', () => {
    const build = () => open('', offering('one', 'get_case'), offering('two', 'get_case'));
    expect(build).toThrow(StartupFaults);
    expect(build).toThrow(/"get_case" is used twice: by callback "one" and by callback "two"/);
  });

  it('leaves a name with who had it first, also when the newcomer stands before it in the configuration', () => {
    const one = offering('one');
    const two = offering('two', 'get_case');
    const { toolbox, log, owners } = open('', one, two);
    one.nowOffers(['get_case', 'get_user']);
    toolbox.refresh();
    expect(owners()).toEqual({ get_case: 'callback:two', get_user: 'callback:one' });
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { tool: 'get_case', refused: 'callback "one"', holder: 'callback "two"' } },
    ]);
    two.nowOffers([]);
    toolbox.refresh();
    expect(owners()).toEqual({ get_case: 'callback:one', get_user: 'callback:one' });
  });

  it('is a new toolbox after a change, and the old one stays as it was', () => {
    const one = offering('one', 'get_case');
    const { toolbox } = open('', one);
    const before = toolbox.current;
    one.nowOffers([]);
    toolbox.refresh();
    expect(before.find('get_case')).toBeDefined();
    expect(toolbox.current.find('get_case')).toBeUndefined();
  });

  it('offers navigation as soon as there is a page, and keeps the page of helper.yaml', () => {
    const one = offering('one');
    const { toolbox, owners } = open('', one);
    expect(owners()).toEqual({});
    one.nowOffers([], [page]);
    toolbox.refresh();
    expect(owners()).toEqual({ navigate_to_page: 'helper' });
    expect(toolbox.current.pages).toEqual([page]);

    const other = offering('other');
    const { toolbox: withYaml, log } = open(yamlPage, other);
    other.nowOffers([], [page]);
    withYaml.refresh();
    expect(withYaml.current.pages).toMatchObject([{ url: '/mine' }]);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { page: 'order' } }]);
  });
});

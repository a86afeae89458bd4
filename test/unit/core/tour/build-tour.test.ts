import { describe, expect, it } from 'vitest';
import { textsByLanguage } from '../../../../src/core/language/texts.ts';
import type { Page } from '../../../../src/core/pages/page.ts';
import { buildTour } from '../../../../src/core/tour/build-tour.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

const page = (overrides: Partial<Page> = {}): Page => ({
  name: 'orders',
  title: 'All orders',
  url: '/orders',
  description: 'The list of orders.',
  requiredRoles: [],
  ...overrides,
});
const { English, German } = textsByLanguage;

describe('the onboarding tour (contract/widget.md#tour)', () => {
  it('has a step for each page, in their order, with its element', () => {
    const pages = [
      page({ selector: '#orders', placement: 'left' }),
      page({ name: 'order', title: 'One order', url: '/orders/{id}' }),
    ];
    expect(buildTour({ pages, tools: [] }, English).steps).toEqual([
      {
        id: 'page:orders',
        title: 'All orders',
        text: 'The list of orders.',
        page: 'orders',
        url: '/orders',
        selector: '#orders',
        placement: 'left',
      },
      { id: 'page:order', title: 'One order', text: 'The list of orders.', page: 'order' },
    ]);
  });

  it('ends with what can be asked for, in the language', () => {
    const tools = [fakeTool({ title: 'Close a case' }), fakeTool({ name: 'open_case', title: 'Open $& a case' })];
    expect(buildTour({ pages: [], tools }, German).steps).toEqual([
      {
        id: 'actions',
        title: 'Was Sie verlangen können',
        text: 'Öffnen Sie den Chat und sagen Sie, was Sie brauchen: Close a case · Open $& a case',
      },
    ]);
  });

  it('shows nobody what needs a role, nor what the model alone uses', () => {
    const pages = [page({ requiredRoles: ['Supervisor'] })];
    const tools = [fakeTool({ requiredRoles: ['Supervisor'] }), fakeTool({ source: 'built-in' })];
    expect(buildTour({ pages, tools }, English).steps).toEqual([]);
  });

  it('stays short: twenty pages, eight actions, 500 characters', () => {
    const pages = Array.from({ length: 30 }, (_, index) =>
      page({ name: `p${String(index)}`, description: `${'x'.repeat(498)}😀 and more` }),
    );
    const tools = Array.from({ length: 9 }, (_, index) =>
      fakeTool({ name: `t${String(index)}`, title: `T${String(index)}` }),
    );
    const { steps } = buildTour({ pages, tools }, English);
    expect(steps).toHaveLength(21);
    expect(steps[0]?.text).toBe(`${'x'.repeat(498)}…`);
    expect(steps.at(-1)?.text).toMatch(/T7 · …$/);
  });

  it('has a new version for another page, element or action, and for nothing else', () => {
    const version = (overrides: Partial<Page>, tools = [fakeTool()], texts = English): string =>
      buildTour({ pages: [page(overrides)], tools }, texts).version;
    const first = version({});
    expect(first).toMatch(/^[\w-]{16}$/);
    expect(version({ title: 'Orders', description: 'Mended.' }, [fakeTool({ title: 'Close' })], German)).toBe(first);
    const others = [version({ name: 'all' }), version({ selector: '#a' }), version({}, [fakeTool({ name: 'other' })])];
    expect(new Set([first, ...others]).size).toBe(4);
  });
});

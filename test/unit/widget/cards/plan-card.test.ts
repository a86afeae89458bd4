import { describe, expect, it } from 'vitest';
import { planCard } from '../../../../src/widget/cards/plan-card.ts';
import type { CardPlan } from '../../../../src/widget/cards/card-contract.ts';
import { elementsOf, outline } from '../markdown/plan-text.ts';

const options = {
  texts: { locale: 'en', cardLabel: 'Card', sources: 'Sources', table: 'Table', showData: 'Show data' },
  imageHosts: ['img.example'],
  links: {},
  idPrefix: 'card-1',
};

function plan(...body: unknown[]): CardPlan {
  return planCard({ type: 'AdaptiveCard', version: '1.5', body }, options);
}

function draw(...body: unknown[]): string {
  return (plan(...body).root.children ?? []).map(outline).join('');
}

describe('cards (contract/cards.md)', () => {
  it.each([
    ['text', { type: 'TextBlock', text: '<b>Hi</b>' }, '<p class="text" dir="auto"><b>Hi</b></p>'],
    [
      'a large text is a heading',
      { type: 'TextBlock', text: 'Hi', size: 'Large', weight: 'Bolder' },
      '<h3 class="text size-large bolder" dir="auto">Hi</h3>',
    ],
    [
      'facts',
      { type: 'FactSet', facts: [{ title: 'Total', value: 12 }] },
      '<dl class="facts"><div><dt>Total</dt><dd dir="auto">12</dd></div></dl>',
    ],
    ['what nobody knows is left out', { type: 'Media', sources: [] }, ''],
    ['what is no object is left out', 'text', ''],
  ])('%s', (_title, element, expected) => {
    expect(draw(element)).toBe(expected);
  });

  it('draws a table with its first row as the header', () => {
    const cell = (text: string): object => ({ type: 'TableCell', items: [{ type: 'TextBlock', text }] });
    const table = { type: 'Table', rows: [{ cells: [cell('Order')] }, { cells: [cell('1002')] }] };
    expect(draw(table)).toMatch(/<thead><tr><th scope="col">.*Order.*<\/thead><tbody><tr><td>.*1002.*<\/tbody>/);
    expect(draw({ ...table, firstRowAsHeader: false })).not.toContain('<thead>');
  });

  // proves wire-7-01
  it('draws columns and containers with what they hold', () => {
    const inside = { type: 'TextBlock', text: 'in' };
    expect(draw({ type: 'Container', items: [inside] })).toContain('>in</p>');
    expect(draw({ type: 'ColumnSet', columns: [{ width: 'auto', items: [inside] }] })).toContain('class="column auto"');
  });

  it.each([
    ['the own origin', '/cat.png', true],
    ['a listed host', 'https://img.example/cat.png', true],
    ['the card itself', 'data:image/png;base64,AAAA', true],
    ['another host', 'https://evil.example/cat.png', false],
    ['a listed host without TLS', 'http://img.example/cat.png', false],
    ['an image that is a document', 'data:image/svg+xml;base64,AAAA', false],
    ['a script', 'javascript:alert(1)', false],
    ['a host without a scheme', '//img.example/cat.png', false],
  ])('an image from %s: %s loads: %s', (_title, url, loads) => {
    const images = elementsOf(plan({ type: 'Image', url, altText: 'A cat' }).root).filter(({ tag }) => tag === 'img');
    expect(images.length).toBe(loads ? 1 : 0);
    if (!loads) expect(draw({ type: 'Image', url, altText: 'A cat' })).toBe('<p>A cat</p>');
  });

  it('opens addresses that a click may follow, and no others', () => {
    const action = (url: string): string =>
      draw({ type: 'ActionSet', actions: [{ type: 'Action.OpenUrl', title: 'Open', url }] });
    expect(action('https://x.example')).toContain('rel="noopener noreferrer nofollow"');
    expect(action('javascript:alert(1)')).toBe('');
  });

  it('collects what its buttons send and what its inputs are called', () => {
    const { actions, fields, root } = planCard(
      {
        body: [
          { type: 'Input.Text', id: 'note', label: 'Note', isRequired: true, maxLength: 50 },
          { type: 'Input.Number', id: 'count', label: 'Count', min: 1, max: 9, value: 2 },
          { type: 'Input.Date', id: 'day', label: 'Day' },
          { type: 'Input.Toggle', id: 'gift', title: 'Gift', valueOn: 'yes', valueOff: 'no' },
          { type: 'Input.ChoiceSet', id: 'size', label: 'Size', choices: [{ title: 'S', value: 's' }] },
          { type: 'Input.ChoiceSet', id: 'extras', isMultiSelect: true, choices: [{ title: 'A', value: 'a' }] },
          { type: 'Input.Text', label: 'No id, no value' },
        ],
        actions: [{ type: 'Action.Submit', title: 'Send', data: { step: 1 } }],
      },
      options,
    );
    expect(actions).toEqual([{ type: 'submit', title: 'Send', data: { step: 1 } }]);
    expect(fields.map(({ id, type, isRequired }) => [id, type, isRequired])).toEqual([
      ['note', 'text', true],
      ['count', 'number', false],
      ['day', 'text', false],
      ['gift', 'toggle', false],
      ['size', 'choice', false],
      ['extras', 'choices', false],
    ]);
    const labelled = elementsOf(root).filter(({ tag }) => tag === 'label');
    expect(labelled.map(({ attributes }) => attributes?.for)).toContain('card-1-0');
  });

  it.each([
    ['Input.Number', 'abc', undefined],
    ['Input.Number', '1.5', '1.5'],
    ['Input.Date', 'tomorrow', undefined],
    ['Input.Date', '2026-02-03', '2026-02-03'],
  ])('%s: a limit of %o is %o to the browser', (type, min, told) => {
    const [input] = elementsOf(plan({ type, id: 'a', min }).root).filter(({ tag }) => tag === 'input');
    expect(input?.attributes?.['min']).toBe(told);
  });

  it('says its fallback text when nothing of it can be shown, and always to a screen reader', () => {
    const { root } = planCard({ fallbackText: 'Three orders', body: [{ type: 'Media' }] }, options);
    expect(outline(root)).toBe(
      '<div class="card-body" role="group" aria-label="Three orders"><p>Three orders</p></div>',
    );
    expect(plan({ type: 'TextBlock', text: 'x' }).root.attributes?.['aria-label']).toBe('Card');
  });

  it.each([null, 1, [], 'text', { body: 'text' }, { body: [null, 1, []], actions: {} }])(
    'survives what is no card: %j',
    (card) => {
      expect(planCard(card, options).actions).toEqual([]);
    },
  );
});

describe('charts of cards', () => {
  const points = [
    { x: 'Mon', y: 3 },
    { x: 'Tue', y: '5' },
    { x: 'bad', y: 'many' },
  ];

  it.each([
    // proves wire-7-01
    'Chart.Bar',
    'Chart.Line',
    'Chart.Pie',
    'Chart.Donut',
  ])('%s has a picture and its numbers in a table', (type) => {
    const text = draw({ type, title: 'Orders', data: points });
    expect(text).toContain('aria-hidden="true"');
    expect(text).toContain('<summary>Show data</summary>');
    expect(text).toContain('<th scope="row">Tue</th><td>5</td>');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('takes several series', () => {
    const data = [
      { legend: 'A', values: points },
      { legend: 'B', values: [{ x: 'Mon', y: 1 }] },
    ];
    const text = draw({ type: 'Chart.Line', data });
    expect(text).toContain('<th scope="col">A</th><th scope="col">B</th>');
    expect(text).toContain('<th scope="row">Mon</th><td>3</td><td>1</td>');
  });

  // proves wire-7-14
  it('has a scale of round numbers and the label of every point, where there is room', () => {
    const line = (data: readonly object[]): string => draw({ type: 'Chart.Line', data });
    const words = (text: string): string[] =>
      [...text.matchAll(/class="label">([^<]*)</g)].map(([, word = '']) => word);
    const days = ['Mon', 'Tue', 'Wed'].map((x, index) => ({ x, y: [20, 50, 35][index] }));
    expect(words(line(days))).toEqual(['0', '20', '40', '60', 'Mon', 'Tue', 'Wed']);
    expect(
      words(
        line([
          { x: 'low', y: -1500 },
          { x: 'high', y: 2300 },
        ]),
      ),
    ).toEqual(['-2K', '-1K', '0', '1K', '2K', '3K', 'low', 'high']);
    const many = Array.from({ length: 60 }, (_, day) => ({ x: `Day ${String(day)}`, y: day / 100 }));
    expect(words(line(many)).length).toBeLessThan(14);
    expect(draw({ type: 'Chart.Donut', data: [{ x: 'Shelves', y: 1200.5 }] })).toContain('Shelves 1,200.5');
  });

  it.each([
    ['no data', []],
    ['one value', [{ x: 'a', y: 0 }]],
    ['negative values', [{ x: 'a', y: -3 }]],
    [
      'the largest numbers',
      [
        { x: 'a', y: -1e308 },
        { x: 'b', y: 1e308 },
      ],
    ],
    ['the smallest numbers', [{ x: 'a', y: 5e-324 }]],
  ])('draws %s without nonsense', (_title, data) => {
    for (const type of ['Chart.Bar', 'Chart.Line', 'Chart.Pie']) {
      expect(draw({ type, data })).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

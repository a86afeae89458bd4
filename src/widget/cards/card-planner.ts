import type { NodePlan } from '../nodes/node-plan.ts';
import { planLink } from '../nodes/plan-link.ts';
import type { CardAction, CardField, CardOptions } from './card-contract.ts';
import { type CardObject, objectOf, objectsOf, textOf } from './card-values.ts';
import { planChart } from './plan-chart.ts';
import { planInput } from './plan-input.ts';
import { imageAddress } from './image-address.ts';

/** Walks a card and plans its nodes. Collects the actions of its buttons and the fields of its inputs on the way. */
export class CardPlanner {
  readonly actions: CardAction[] = [];
  readonly fields: CardField[] = [];
  readonly options: CardOptions;

  constructor(options: CardOptions) {
    this.options = options;
  }

  planAll(elements: unknown): NodePlan[] {
    return objectsOf(elements).flatMap((element) => this.plan(element));
  }

  /** The plan of one element. An unknown element gives an empty plan. */
  plan(element: CardObject): NodePlan[] {
    const type = textOf(element['type']);
    switch (type) {
      case 'TextBlock':
        return planTextBlock(element);
      case 'FactSet':
        return [planFactSet(element)];
      case 'Image':
        return this.#planImage(element);
      case 'Table':
        return [this.#planTable(element)];
      case 'ColumnSet':
        return [{ tag: 'div', attributes: { class: 'columns' }, children: this.#planColumns(element['columns']) }];
      case 'Container':
        return [{ tag: 'div', attributes: { class: 'container' }, children: this.planAll(element['items']) }];
      case 'ActionSet':
        return this.planActions(element['actions']);
      default:
        if (type.startsWith('Input.')) return planInput(element, this);
        return type.startsWith('Chart.') ? planChart(element, this.options.texts) : [];
    }
  }

  planActions(actions: unknown): NodePlan[] {
    const buttons = objectsOf(actions).flatMap((action) => this.#planAction(action));
    return buttons.length === 0 ? [] : [{ tag: 'div', attributes: { class: 'actions' }, children: buttons }];
  }

  #planAction(action: CardObject): NodePlan[] {
    const title = textOf(action['title']);
    if (action['type'] === 'Action.OpenUrl') {
      const url = textOf(action['url']);
      const link = planLink(url, [title === '' ? url : title], this.options.links);
      return link === null ? [] : [{ ...link, attributes: { ...link.attributes, class: 'button' } }];
    }
    if (action['type'] !== 'Action.Submit' || title === '') return [];
    const index = this.actions.push({ type: 'submit', title, data: objectOf(action['data']) }) - 1;
    const style = action['style'] === 'destructive' ? ' danger' : ' primary';
    return [
      {
        tag: 'button',
        attributes: { type: 'button', class: `button${style}`, 'data-action': String(index) },
        children: [title],
      },
    ];
  }

  #planImage(element: CardObject): NodePlan[] {
    const source = imageAddress(textOf(element['url']), this.options.imageHosts, this.options.links);
    const alternative = textOf(element['altText']);
    if (source === null) return alternative === '' ? [] : [{ tag: 'p', children: [alternative] }];
    return [
      {
        tag: 'img',
        attributes: {
          src: source,
          alt: alternative,
          class: `image size-${
            textOf(element['size'])
              .toLowerCase()
              .replace(/[^a-z]/g, '') || 'auto'
          }`,
          loading: 'lazy',
          referrerpolicy: 'no-referrer',
        },
      },
    ];
  }

  #planColumns(columns: unknown): NodePlan[] {
    return objectsOf(columns).map((column) => ({
      tag: 'div',
      attributes: { class: column['width'] === 'auto' ? 'column auto' : 'column' },
      children: this.planAll(column['items']),
    }));
  }

  #planTable(element: CardObject): NodePlan {
    // The schema calls the property `firstRowAsHeader`. Its default is true. Older cards call it `firstRowAsHeaders`.
    const hasHeader = (element['firstRowAsHeader'] ?? element['firstRowAsHeaders']) !== false;
    const rows = objectsOf(element['rows']).map((row, index): NodePlan => {
      const isHeader = hasHeader && index === 0;
      const cells = objectsOf(row['cells']).map((cell): NodePlan => ({
        tag: isHeader ? 'th' : 'td',
        ...(isHeader ? { attributes: { scope: 'col' } } : {}),
        children: this.planAll(cell['items']),
      }));
      return { tag: 'tr', children: cells };
    });
    const [head, ...body] = rows;
    const sections: NodePlan[] =
      hasHeader && head !== undefined
        ? [
            { tag: 'thead', children: [head] },
            { tag: 'tbody', children: body },
          ]
        : [{ tag: 'tbody', children: rows }];
    return {
      tag: 'div',
      attributes: { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': this.options.texts.table },
      children: [{ tag: 'table', children: sections }],
    };
  }
}

function planTextBlock(element: CardObject): NodePlan[] {
  const text = textOf(element['text']);
  if (text === '') return [];
  const size = textOf(element['size']).toLowerCase();
  const isHeading = element['style'] === 'heading' || ['large', 'extralarge'].includes(size);
  const classes = [
    'text',
    ['small', 'medium', 'large', 'extralarge'].includes(size) ? `size-${size}` : '',
    textOf(element['weight']).toLowerCase() === 'bolder' ? 'bolder' : '',
    element['isSubtle'] === true ? 'subtle' : '',
    colourClass(textOf(element['color']).toLowerCase()),
  ];
  return [
    { tag: isHeading ? 'h3' : 'p', attributes: { class: classes.join(' ').trim(), dir: 'auto' }, children: [text] },
  ];
}

function colourClass(colour: string): string {
  return ['accent', 'good', 'warning', 'attention'].includes(colour) ? `colour-${colour}` : '';
}

function planFactSet(element: CardObject): NodePlan {
  const facts = objectsOf(element['facts']).flatMap((fact): NodePlan[] => [
    {
      tag: 'div',
      children: [
        { tag: 'dt', children: [textOf(fact['title'])] },
        { tag: 'dd', attributes: { dir: 'auto' }, children: [textOf(fact['value'])] },
      ],
    },
  ]);
  return { tag: 'dl', attributes: { class: 'facts' }, children: facts };
}

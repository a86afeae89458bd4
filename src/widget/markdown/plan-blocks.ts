import type { MarkedToken, Token, Tokens } from 'marked';
import type { NodePlan } from '../nodes/node-plan.ts';
import { linkAttributes, safeLink } from '../nodes/safe-link.ts';
import { decodeEntities } from './decode-entities.ts';

/** Names of the boxes that scroll by themselves, in the widget's language. */
export interface MarkdownLabels {
  readonly table: string;
  readonly code: string;
}

type Child = NodePlan | string;

/** One plan per block that shows something. HTML is shown as the text it is; images as their alternative text. */
export function planBlocks(tokens: readonly Token[], labels: MarkdownLabels): NodePlan[] {
  return tokens.flatMap((token) => planBlock(token as MarkedToken, labels)); // without extensions there are no others
}

const headings = ['h3', 'h4', 'h5', 'h6'] as const;

function planBlock(token: MarkedToken, labels: MarkdownLabels): NodePlan[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      // The panel's own headings end at level 2.
      return [{ tag: headings[token.depth - 1] ?? 'h6', children: planInline(token.tokens) }];
    case 'code':
      return [planCode(token, labels)];
    case 'hr':
      return [{ tag: 'hr' }];
    case 'blockquote':
      return [{ tag: 'blockquote', children: planBlocks(token.tokens, labels) }];
    case 'list':
      return [planList(token, labels)];
    case 'table':
      return [planTable(token, labels)];
    case 'paragraph':
      return [{ tag: 'p', children: planInline(token.tokens) }];
    default:
      // Text between blocks, HTML and whatever else stands alone becomes a paragraph.
      return [{ tag: 'p', children: planInline([token]) }];
  }
}

function planCode(token: Tokens.Code, labels: MarkdownLabels): NodePlan {
  const language = /^[\w+#.-]{1,30}/.exec(token.lang ?? '')?.[0];
  const code: NodePlan = { tag: 'code', children: [token.text] };
  return {
    tag: 'pre',
    attributes: {
      class: 'scroll',
      tabindex: '0',
      role: 'group',
      'aria-label': labels.code,
      ...(language === undefined ? {} : { 'data-language': language }),
    },
    children: [code],
  };
}

function planList(token: Tokens.List, labels: MarkdownLabels): NodePlan {
  const start = token.ordered && token.start !== 1 && token.start !== '' ? { start: String(token.start) } : undefined;
  return {
    tag: token.ordered ? 'ol' : 'ul',
    ...(start === undefined ? {} : { attributes: start }),
    children: token.items.map((item) => ({ tag: 'li', children: planItem(item, labels) })),
  };
}

/** A tight item holds its text directly, a loose one in paragraphs. */
function planItem(item: Tokens.ListItem, labels: MarkdownLabels): Child[] {
  return item.tokens.flatMap((token): Child[] => {
    if (token.type === 'checkbox') return [checkbox((token as Tokens.Checkbox).checked)]; // by its type
    if (token.type === 'text' && !item.loose) return planInline([token]);
    return planBlocks([token], labels);
  });
}

function checkbox(isChecked: boolean): string {
  return isChecked ? '☑ ' : '☐ ';
}

function planTable(token: Tokens.Table, labels: MarkdownLabels): NodePlan {
  const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th'): NodePlan => ({
    tag: 'tr',
    children: cells.map((cell) => ({
      tag,
      attributes: {
        ...(tag === 'th' ? { scope: 'col' } : {}),
        ...(cell.align === null ? {} : { class: `align-${cell.align}` }),
      },
      children: planInline(cell.tokens),
    })),
  });
  return {
    tag: 'div',
    attributes: { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': labels.table },
    children: [
      {
        tag: 'table',
        children: [
          { tag: 'thead', children: [row(token.header, 'th')] },
          { tag: 'tbody', children: token.rows.map((cells) => row(cells, 'td')) },
        ],
      },
    ],
  };
}

function planInline(tokens: readonly Token[]): Child[] {
  return tokens.flatMap((token) => planSpan(token as MarkedToken)); // as in planBlocks
}

function planSpan(token: MarkedToken): Child[] {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? [decodeEntities(token.text)] : planInline(token.tokens);
    case 'escape':
      return [token.text];
    case 'codespan':
      return [{ tag: 'code', children: [token.text] }];
    case 'strong':
    case 'em':
    case 'del':
      return [{ tag: token.type, children: planInline(token.tokens) }];
    case 'br':
      return [{ tag: 'br' }];
    case 'link':
      return planLink(token);
    case 'image':
      // An address in a reply is a way out for data (wire.md 7), so nothing is fetched.
      return [decodeEntities(token.text)];
    case 'checkbox':
      return [checkbox(token.checked)];
    default:
      return [token.raw];
  }
}

function planLink(token: Tokens.Link): Child[] {
  const children = planInline(token.tokens);
  const address = safeLink(decodeEntities(token.href));
  return address === null ? children : [{ tag: 'a', attributes: linkAttributes(address), children }];
}

import type { NodePlan } from './node-plan.ts';

const svgTags = /^(?:svg|rect|line|path|polyline|circle|text)$/;

/** The nodes of a plan: elements, attributes and text nodes, never HTML. */
export function createNode(plan: NodePlan | string): Node {
  if (typeof plan === 'string') return document.createTextNode(plan);
  const element = svgTags.test(plan.tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', plan.tag)
    : document.createElement(plan.tag);
  for (const [name, value] of Object.entries(plan.attributes ?? {})) element.setAttribute(name, value);
  element.append(...(plan.children ?? []).map(createNode));
  return element;
}

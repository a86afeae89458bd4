import type { NodePlan } from '../../../../src/widget/nodes/node-plan.ts';

/** A plan as one line that reads like markup, for comparing. */
export function outline(plan: NodePlan | string): string {
  if (typeof plan === 'string') return plan;
  const attributes = Object.entries(plan.attributes ?? {}).map(([name, value]) => ` ${name}="${value}"`);
  return `<${plan.tag}${attributes.join('')}>${(plan.children ?? []).map(outline).join('')}</${plan.tag}>`;
}

/** Every element of a plan, itself included. */
export function elementsOf(plan: NodePlan | string): NodePlan[] {
  return typeof plan === 'string' ? [] : [plan, ...(plan.children ?? []).flatMap(elementsOf)];
}

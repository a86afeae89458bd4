import { parser } from '@prometheus-io/lezer-promql';

/** One condition on a label. */
export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** The metric that an expression reads, and the conditions on its series. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

/** An expression of PromQL, parsed by Prometheus' own grammar. */
export interface Promql {
  /** The reasons why the text is no PromQL, in words. Empty for valid PromQL. */
  readonly faults: readonly string[];
  readonly selectors: readonly Selector[];
  /** The labels by which the expression groups or joins. */
  readonly groupings: readonly string[];
}

/** Reads an expression. Grafana's variables are replaced with typical values. */
export function readPromql(expression: string): Promql {
  const text = withoutVariables(expression);
  const faults: string[] = [];
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  const groupings: string[] = [];
  parser.parse(text).iterate({
    enter({ name, type, from, to, node }) {
      const piece = text.slice(from, to);
      if (type.isError) faults.push(`no PromQL at ${String(from)}: ${text}`);
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const selector = selectors.at(-1);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector' && selector !== undefined)
        selector.metric = piece;
      if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') groupings.push(piece);
      if (name === 'UnquotedLabelMatcher') selector?.matchers.push(matcherOf(piece));
    },
  });
  return { faults, selectors, groupings };
}

function withoutVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.+');
}

function matcherOf(text: string): Matcher {
  const [, label = '', operator = '', quoted = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*(".*")$/s.exec(text) ?? [];
  // the grammar accepts only operators of this type
  return { label, operator: operator as Matcher['operator'], value: String(JSON.parse(quoted)) };
}

import ts from 'typescript';

/** A test of a source text, or a row of its table. */
export interface WrittenTest {
  /** As the source has it. For a row: with the row's values in the place of `%s`. */
  readonly title: string;
  /** The comments above it, without an empty line in between. */
  readonly comments: readonly WrittenComment[];
}

export interface WrittenComment {
  readonly line: number;
  readonly text: string;
}

/**
 * The tests in a source text. A table (`it.each`) counts as one, with the title as it is written; each row of a table with literal rows
 * counts as one more. Tests that are skipped or still to do are left out, because they prove nothing.
 */
export function readTests(sourceText: string): readonly WrittenTest[] {
  const source = ts.createSourceFile('source.ts', sourceText, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const tests: WrittenTest[] = [];
  const tables = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      tables.set(node.name.text, node.initializer);
    }
    const call = ts.isCallExpression(node) ? readCall(node, tables) : undefined;
    if (call?.skipped === true) return;
    if (call?.kind === 'test') {
      tests.push(...call.titled.map(({ title, node: place }) => ({ title, comments: commentsAbove(place, source) })));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return tests;
}

function commentsAbove(node: ts.Node, source: ts.SourceFile): readonly WrittenComment[] {
  const comments = ts.getLeadingCommentRanges(source.text, node.pos) ?? [];
  const begin = node.getStart(source);
  return comments
    .filter(({ end }) => !/\n[ \t\r]*\n/.test(source.text.slice(end, begin)))
    .map(({ pos, end }) => ({
      line: source.getLineAndCharacterOfPosition(pos).line + 1,
      text: source.text.slice(pos, end),
    }));
}

interface Titled {
  readonly title: string;
  readonly node: ts.Node;
}

interface ReadCall {
  readonly kind: 'test' | 'other';
  readonly skipped: boolean;
  readonly titled: readonly Titled[];
}

/** The parts in front of a call. For `it.each(rows)('…')` these are `it`, `each` and the table `rows`. */
interface Callee {
  readonly names: readonly string[];
  readonly table: ts.Expression | undefined;
}

/** The expressions to which the constants of a file are set. A table may therefore be a constant above its test. */
type Tables = ReadonlyMap<string, ts.Expression>;

function readCall(node: ts.CallExpression, tables: Tables): ReadCall | undefined {
  const callee = readCallee(node.expression);
  const [root, ...modifiers] = callee.names;
  if (root !== 'it' && root !== 'test' && root !== 'describe') return undefined;
  const title = literalText(node.arguments[0]);
  if (title === undefined) return undefined;
  const skipped = modifiers.includes('skip') || modifiers.includes('todo');
  const rows = callee.table === undefined ? [] : titledRows(title, callee.table, tables);
  return { kind: root === 'describe' ? 'other' : 'test', skipped, titled: [{ title, node }, ...rows] };
}

function readCallee(expression: ts.Expression): Callee {
  if (ts.isIdentifier(expression)) return { names: [expression.text], table: undefined };
  if (ts.isPropertyAccessExpression(expression)) {
    const before = readCallee(expression.expression);
    return { names: [...before.names, expression.name.text], table: before.table };
  }
  if (!ts.isCallExpression(expression)) return { names: [], table: undefined };
  const before = readCallee(expression.expression);
  const isTable = before.names.at(-1) === 'each';
  return { names: before.names, table: isTable ? expression.arguments[0] : before.table };
}

function titledRows(title: string, table: ts.Expression, tables: Tables): readonly Titled[] {
  const rows = withoutAssertion((ts.isIdentifier(table) ? tables.get(table.text) : undefined) ?? table);
  if (!ts.isArrayLiteralExpression(rows) || !title.includes('%s')) return [];
  return rows.elements.flatMap((element) => {
    const row = withoutAssertion(element);
    const filled = filledTitle(title, (ts.isArrayLiteralExpression(row) ? [...row.elements] : [row]).map(literalText));
    return filled === undefined ? [] : [{ title: filled, node: element }];
  });
}

/** The title of one row. Undefined when the title needs a value that is not a literal text or number. */
function filledTitle(title: string, values: readonly (string | undefined)[]): string | undefined {
  const placeholders = title.match(/%[a-z]/g) ?? [];
  const used = values.slice(0, placeholders.length);
  if (placeholders.some((placeholder, index) => placeholder !== '%s' || used[index] === undefined)) return undefined;
  let next = 0;
  return title.replaceAll('%s', () => used[next++] ?? '');
}

function withoutAssertion(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
    ? withoutAssertion(expression.expression)
    : expression;
}

function literalText(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  return undefined;
}

import ts from 'typescript';

/** In the order in which `drawMutants` takes from them. */
export const mutantKinds = ['negated condition', 'removed statement', 'swapped comparison', 'dropped await'] as const;

export type MutantKind = (typeof mutantKinds)[number];

/** A change to one place of a source file. */
export interface Mutant {
  readonly kind: MutantKind;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The text of the place. */
  readonly from: string;
  /** What stands there instead: nothing where a statement is removed. */
  readonly to: string;
}

type Change = Pick<Mutant, 'kind' | 'to'> & { readonly node: ts.Node };

/** What a comparison is swapped for: its opposite, or the one with the other answer at the border. */
const swapped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

/** A call that writes a line of the log: what it says is for people, and no test judges it. */
const logCall = /(^|[.#])(log|logger|console)\??\.(\w+\??\.)?(trace|debug|info|warn|error|fatal|log)$/i;

/** All mutants of a file, by their places. None is in a type, a comment or a line of the log. */
export function findMutants(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || isLogCall(node)) return;
    if (ts.isExpressionStatement(node) && isLogCall(node.expression)) return;
    for (const { kind, node: place, to } of changesAt(node)) {
      const start = place.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ kind, file, line, start, end: place.end, from: text.slice(start, place.end), to });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function changesAt(node: ts.Node): readonly Change[] {
  const condition = conditionOf(node);
  // The opposite of an equality is its swapped comparison.
  if (condition !== undefined && !isEquality(condition)) {
    return [{ kind: 'negated condition', node: condition, to: `!(${condition.getText()})` }];
  }
  if (ts.isExpressionStatement(node) && isRemovable(node.expression))
    return [{ kind: 'removed statement', node, to: '' }];
  if (ts.isBinaryExpression(node)) {
    const operator = swapped[node.operatorToken.getText()];
    if (operator === undefined) return [];
    const to = `${node.left.getText()} ${operator} ${node.right.getText()}`;
    return [{ kind: 'swapped comparison', node, to }];
  }
  if (ts.isAwaitExpression(node)) return [{ kind: 'dropped await', node, to: node.expression.getText() }];
  return [];
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression;
  return ts.isForStatement(node) || ts.isConditionalExpression(node) ? node.condition : undefined;
}

function isEquality(node: ts.Expression): boolean {
  return ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText());
}

/** A directive says how a file is read, and without `super` no class is made. */
function isRemovable(node: ts.Expression): boolean {
  return (
    !ts.isStringLiteral(node) && !(ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword)
  );
}

function isLogCall(node: ts.Node): boolean {
  return ts.isCallExpression(node) && logCall.test(node.expression.getText());
}

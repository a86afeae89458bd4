import type { Rule, Scope, SourceCode } from 'eslint';

type Node = NonNullable<ReturnType<SourceCode['getNodeByRangeIndex']>>;
type Call = Extract<Node, { type: 'CallExpression' }>;

/**
 * A test must not be red by luck: it asserts nothing on the time that passes, and waits for what happens instead of for a while. A loop
 * that looks again after a pause may sleep.
 */
export const noWallTime: Rule.RuleModule = {
  meta: {
    type: 'problem',
    messages: {
      wallTime: 'A busy machine takes its time: let a fake clock, the order of events or a count prove this.',
      sleep: 'Wait for what happens (an event, a promise, `vi.waitFor`), not for a while.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const isTest = context.filename.endsWith('.test.ts');
    /** The local names of the `setTimeout` that gives a promise. */
    const sleepers = new Set<string>();
    const initialOf = (node: Node): Node | undefined => initialIn(sourceCode, node);
    const clockOf = (node: Node | undefined): string | undefined => {
      if (node?.type === 'CallExpression')
        return /^(?:performance|Date)(?=\.now$)/.exec(sourceCode.getText(node.callee))?.[0];
      return node?.type === 'Identifier' ? clockOf(initialOf(node)) : undefined;
    };
    const holdsClock = (node: Node): boolean =>
      clockOf(node) !== undefined || (node.type === 'BinaryExpression' && [node.left, node.right].some(holdsClock));
    /** Whether a value is a time that has passed. */
    const isElapsed = (node: Node): boolean => {
      if (node.type === 'Identifier') {
        const initial = initialOf(node);
        return initial !== undefined && initial.type !== 'Identifier' && isElapsed(initial);
      }
      if (node.type === 'CallExpression')
        return sourceCode.getText(node.callee).startsWith('Math.') && node.arguments.some(isElapsed);
      if (node.type !== 'BinaryExpression') return false;
      const sides = [node.left, node.right];
      return (node.operator === '-' && sides.some(holdsClock)) || sides.some(isElapsed);
    };
    const isFixed = (node: Node | undefined): boolean => {
      if (node?.type === 'Literal') return typeof node.value === 'number' && node.value > 0;
      if (node?.type === 'BinaryExpression') return isFixed(node.left) && isFixed(node.right);
      return node?.type === 'Identifier' && isFixed(initialOf(node));
    };
    return {
      ImportDeclaration({ source, specifiers }) {
        if (!/^(?:node:)?timers\/promises$/.test(String(source.value))) return;
        for (const each of specifiers)
          if (each.type === 'ImportSpecifier' && sourceCode.getText(each.imported) === 'setTimeout')
            sleepers.add(each.local.name);
      },
      BinaryExpression(node) {
        if (!isTest || !/^(?:-|[<>]=?)$/.test(node.operator)) return;
        if ([node.left, node.right].some((side) => clockOf(side) === 'performance'))
          context.report({ node, messageId: 'wallTime' });
      },
      CallExpression(node) {
        const name = sourceCode.getText(node.callee);
        const delay = sleepers.has(name) ? node.arguments[0] : node.arguments[1];
        const isSleep = sleepers.has(name) ? isAwaited(node) : name === 'setTimeout' && isAwaited(promiseAround(node));
        if (isSleep && isFixed(delay) && !isInLoop(node)) context.report({ node, messageId: 'sleep' });
        const [subject] = node.arguments;
        if (subject === undefined || !/^expect(?:\s*\.poll)?$/.test(name)) return;
        const looked = subject.type === 'ArrowFunctionExpression' ? subject.body : subject;
        const asserted = [looked, ...matcherArguments(node)];
        if (clockOf(looked) !== undefined || asserted.some(isElapsed)) context.report({ node, messageId: 'wallTime' });
      },
    };
  },
};

/** What a constant is initialised with. */
function initialIn(sourceCode: SourceCode, node: Node): Node | undefined {
  if (node.type !== 'Identifier') return undefined;
  for (let scope: Scope.Scope | null = sourceCode.getScope(node); scope !== null; scope = scope.upper) {
    const definition = scope.set.get(node.name)?.defs[0];
    if (definition !== undefined)
      return definition.type === 'Variable' && definition.node.id.type === 'Identifier'
        ? (definition.node.init ?? undefined)
        : undefined;
  }
  return undefined;
}

/** The arguments of the matcher behind an `expect`, also behind `not`, `resolves` and `rejects`. */
function matcherArguments(expectation: Call & Rule.NodeParentExtension): readonly Node[] {
  let node: Rule.Node = expectation.parent;
  while (node.type === 'MemberExpression') node = node.parent;
  return node.type === 'CallExpression' ? node.arguments : [];
}

/** The `new Promise` of whose executor a call is a part. */
function promiseAround(call: Rule.NodeParentExtension): Rule.Node | undefined {
  let node: Rule.Node | null = call.parent;
  while (node !== null && node.type !== 'NewExpression') node = node.parent;
  return node ?? undefined;
}

function isAwaited(node: { readonly parent?: Rule.Node | null } | undefined): boolean {
  return node?.parent?.type === 'AwaitExpression';
}

/** Whether a call stands in a loop of its function. */
function isInLoop(call: Rule.NodeParentExtension): boolean {
  for (let node: Rule.Node | null = call.parent; node !== null; node = node.parent) {
    if (/^(?:For|While|DoWhile)\w*Statement$/.test(node.type)) return true;
    if (node.type.includes('Function') && node.parent?.type !== 'NewExpression') return false;
  }
  return false;
}

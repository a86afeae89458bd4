/** The project's own lint rules, for parts of its style that no published rule checks. `eslint.config.js` loads them. */
import { basename } from 'node:path';
import type { Rule } from 'eslint';
import { noWallTime } from './no-wall-time.ts';

/** The parser's node for `x as T`. ESLint's own types know only JavaScript. */
interface AssertionNode {
  readonly typeAnnotation: { readonly typeName?: { readonly name?: string } };
}

/** A type assertion is a promise that the compiler cannot check, so a comment must say why it holds. `as const` promises nothing. */
const explainedAssertion: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    messages: {
      unexplained: 'Say in a comment beside this `as` who guarantees it, or let a schema or a check decide.',
    },
  },
  create(context) {
    const commented = new Set<number>();
    for (const { loc } of context.sourceCode.getAllComments()) {
      for (let line = loc?.start.line ?? 0; line <= (loc?.end.line ?? -1); line += 1) commented.add(line);
    }
    return {
      TSAsExpression(node: Rule.Node) {
        // the rule's selector lets only assertions through
        const { typeAnnotation } = node as unknown as AssertionNode;
        if (typeAnnotation.typeName?.name === 'const') return;
        const first = (statementOf(node).loc?.start.line ?? 0) - 1;
        const last = node.loc?.end.line ?? 0;
        for (let line = first; line <= last; line += 1) if (commented.has(line)) return;
        context.report({ node, messageId: 'unexplained' });
      },
    };
  },
};

/** The nearest surrounding node that stands on lines of its own. */
function statementOf(node: Rule.Node): Rule.Node {
  let current = node;
  while (current.parent !== null && !/Statement$|Declaration$|^Property/.test(current.type)) current = current.parent;
  return current;
}

/** An exported function or class must have a doc comment that says what it promises. Types say it by their members. */
const documentedExport: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    messages: { undocumented: 'Write a doc comment: what this promises, in which units, what it throws.' },
  },
  create(context) {
    return {
      ExportNamedDeclaration(node) {
        const kind = node.declaration?.type;
        if (kind !== 'FunctionDeclaration' && kind !== 'ClassDeclaration') return;
        const comment = context.sourceCode.getCommentsBefore(node).at(-1);
        if (comment?.value.startsWith('*') !== true) context.report({ node, messageId: 'undocumented' });
      },
    };
  },
};

/** File names must be kebab-case, and must not be a catch-all such as `utils`. */
const fileName: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    messages: {
      shape: 'Name files in kebab-case, after their main export.',
      drawer: 'Name the file after what it does: this name says nothing.',
    },
  },
  create(context) {
    return {
      Program(node) {
        const name = basename(context.filename).replace(/\.tsx?$/, '');
        const isKebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(schema|test|d|config))*$/.test(name);
        const isDrawer = /(^|-)(helpers|utils?|utilities|misc)$|^(helper|common|shared|types)$/.test(name);
        if (!isKebab) context.report({ node, messageId: 'shape' });
        if (isDrawer) context.report({ node, messageId: 'drawer' });
      },
    };
  },
};

/** The rules under the names that `eslint.config.js` uses. */
export const houseRules = {
  rules: {
    'explained-assertion': explainedAssertion,
    'documented-export': documentedExport,
    'file-name': fileName,
    'no-wall-time': noWallTime,
  },
};

import ts from 'typescript';

/** A regular expression of the source. */
export interface FoundPattern {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

/** The regular expressions in a text of TypeScript: literals, and texts that `RegExp` is given. */
export function patternsIn(file: string, text: string): readonly FoundPattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundPattern[] = [];
  const add = (node: ts.Node, source: string, flags: string): void => {
    found.push({ source, flags, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source !== undefined && ts.isStringLiteralLike(source))
        add(node, source.text, flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : '');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

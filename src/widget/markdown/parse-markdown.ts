import { Lexer, type Token } from 'marked';

export interface ParsedMarkdown {
  readonly tokens: readonly Token[];
  /** Definitions of reference links can change any block of the text. */
  readonly hasDefinitions: boolean;
}

/** GitHub-flavoured Markdown as tokens. Text that the lexer cannot take is one plain paragraph. */
export function parseMarkdown(text: string): ParsedMarkdown {
  try {
    const tokens = new Lexer({ gfm: true }).lex(text);
    return { tokens, hasDefinitions: Object.keys(tokens.links).length > 0 };
  } catch {
    // Nesting deeper than the stack: nobody reads that as structure.
    return { tokens: [{ type: 'html', raw: text, text, pre: false, block: true }], hasDefinitions: false };
  }
}

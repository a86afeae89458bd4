import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
  ...{ bash, c, cpp, csharp, css, diff, go, java, javascript, json, kotlin, php, powershell, python, ruby, rust, sql },
  ...{ swift, typescript, xml, yaml },
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Characters. Longer code stays plain, so that no page waits for its colours. */
const longest = 20_000;

/** A part of the code: text, or parts with a common kind. */
type Token = string | { readonly scope?: string; readonly children: readonly Token[] };

/** Colours a block of code in the language that it names. */
export function highlightCode(block: HTMLElement): void {
  const code = block.querySelector('code');
  const text = code?.textContent ?? '';
  const language = block.dataset['language'] ?? '';
  if (code === null || text.length > longest || hljs.getLanguage(language) === undefined) return;
  // The library offers its tree only here, and HTML beside it. The tree becomes elements and text nodes.
  const { _emitter: emitter } = hljs.highlight(text, { language, ignoreIllegals: true });
  const { rootNode } = emitter as unknown as { readonly rootNode: Exclude<Token, string> }; // a test holds the library to it
  code.replaceChildren(...rootNode.children.map(nodeOf));
}

function nodeOf(token: Token): Node {
  if (typeof token === 'string') return document.createTextNode(token);
  const part = document.createElement('span');
  const [kind = ''] = (token.scope ?? '').split('.');
  part.className = `hl-${kind}`;
  part.append(...token.children.map(nodeOf));
  return part;
}

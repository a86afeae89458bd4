import codeCss from './enrich/code.css';

export { highlightCode as enrich } from './enrich/highlight-code.ts';

/** The panel adds these styles to its shadow root with the first code. */
export const styles: string = codeCss;

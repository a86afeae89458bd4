import css from './kept/kept.css';

export { listsOf } from './kept/lists.ts';

/** The panel adds these styles to its shadow root with the lists. */
export const styles: string = css;

import css from './conversations/conversations.css';

export { addList } from './conversations/add-list.ts';

/** The panel adds these styles to its shadow root with the list. */
export const styles: string = css;

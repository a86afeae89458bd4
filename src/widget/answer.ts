import css from './answer/answer.css';

export { answersOf } from './answer/answer-tools.tsx';

/** The panel adds these styles to its shadow root with the first message. */
export const styles: string = css;

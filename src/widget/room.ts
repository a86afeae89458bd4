import css from './room/room.css';

export { openRoom } from './room/room.ts';

/** The panel adds these styles to its shadow root with its first opening. */
export const styles: string = css;

import css from './tour/tour.css';

export { createGuide } from './tour/tour-guide.ts';

export const styles: string = css;

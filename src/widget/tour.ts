import css from './tour/tour.css';

export { fetchTour } from './tour/fetch-tour.ts';
export { hasSeen, markSeen } from './tour/seen-tours.ts';
export { showTour } from './tour/show-tour.ts';

export const styles: string = css;

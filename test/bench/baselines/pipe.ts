/** The byte pipe, the yardstick of the budget: the model's answer goes to the client as it is, unread. */
import { readBaselineOptions } from './baseline-options.ts';
import { serveRelay } from './model-request.ts';

serveRelay(readBaselineOptions(), (modelAnswer, response) => {
  modelAnswer.pipe(response);
});

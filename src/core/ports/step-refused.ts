/** The store refuses a change because of what it has stored already. Trying again does not help. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

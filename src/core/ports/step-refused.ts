/** A change that was refused because of what is stored already: trying it again is no use. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

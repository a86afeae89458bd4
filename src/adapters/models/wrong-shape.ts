/**
 * What a plugin gave or asked for is not of the shape that it must have. The message is of this server, and repeats nothing that the plugin
 * has given, so the log may say it.
 */
export class WrongShape extends TypeError {
  override readonly name = 'TypeError';
}

/** A number of tokens in the usage that a plugin gives. @throws WrongShape where it is none. */
export function countOf(given: unknown): number {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  throw new WrongShape('usage must have inputTokens and outputTokens, numbers of 0 or more');
}

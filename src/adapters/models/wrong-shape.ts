/**
 * What a plugin gave or asked for is not of the shape that it must have. The message is of this server, and repeats nothing that the plugin
 * has given, so the log may say it.
 */
export class WrongShape extends TypeError {
  override readonly name = 'TypeError';
}

/** Where a plugin was found; nothing of it was read yet. */
export interface PluginFile {
  /** The module to import. */
  readonly file: string;
  /** The folder whose modules belong to the plugin, without symbolic links: the way Node names its modules. */
  readonly folder: string;
  /** Names the plugin in faults until its own name is known. */
  readonly label: string;
  /** Position of its directory in `actions.plugins`. */
  readonly directoryIndex: number;
}

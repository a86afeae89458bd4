/** The place of a plugin. Nothing of the plugin was read yet. */
export interface PluginFile {
  /** The module to import. */
  readonly file: string;
  /** The folder whose modules belong to the plugin. The path has no symbolic links, because Node names modules by their real path. */
  readonly folder: string;
  /** Names the plugin in faults until its own name is known. */
  readonly label: string;
  /** The position of the plugin's directory in `actions.plugins`. */
  readonly directoryIndex: number;
}

/** The store failed: the change may have been made or not. `code` is that of SQLite or of the operating system. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

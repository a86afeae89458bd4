/** The store failed. The change may have been made or not. `code` is the code of SQLite or of the operating system. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

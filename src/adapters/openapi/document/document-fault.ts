/** Why a document, or one operation of it, cannot be used. The message is for operators. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault';
}

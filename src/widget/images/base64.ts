/** The content of a file in base64. Rejects when the file cannot be read any more. */
export async function base64(blob: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
  const url = reader.result as string; // readAsDataURL gives a text
  return url.slice(url.indexOf(',') + 1);
}

/**
 * Frees the memory behind views at once, so that whoever comes next finds memory that is warm, and nobody has to look
 * for garbage. A view of a part only is left alone: others may have the rest.
 */
export function freeBuffers(views: Iterable<ArrayBufferView>): void {
  for (const { buffer, byteLength } of views)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

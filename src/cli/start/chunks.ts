/**
The files of the pod that the chat does not load itself, dependencies first. The build fills in their names
(scripts/bundle.mjs). When inkpod runs from the sources, the list is empty and the pod loads at once.
*/
export const podChunks: readonly string[] = (process.env['INKPOD_CHUNKS'] ?? '').split(' ').filter(name => name !== '');

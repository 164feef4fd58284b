/**
The files of the pod that the chat does not load itself, dependencies first. The build puts their names here
(scripts/bundle.mjs). Without a build the list is empty, and the pod loads at once.
*/
export const podChunks: readonly string[] = (process.env['INKPOD_CHUNKS'] ?? '').split(' ').filter(name => name !== '');

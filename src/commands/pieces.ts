/**
The files that a pod is made of, beside the chat's own, what others need first: loaded one by one they take some
milliseconds each, and a key is heard in between. The build puts their names here (scripts/bundle.mjs); without it there
are none, and the pod is loaded at once.
*/
export const pieces: readonly string[] = (process.env['INKPOD_PIECES'] ?? '').split(' ').filter(name => name !== '');

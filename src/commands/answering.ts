import {loadHighlight} from '../tui/transcript/markdown/highlight.ts';
import {loadModel, type ModelSpec} from '../worker/index.ts';

/** Loads a piece of what answers. */
export type Piece = (spec: ModelSpec) => Promise<unknown>;

/** What the first answer of a session is made with. */
export const answering: readonly Piece[] = [
	loadModel,
	// Node loads its fetch when it is first used.
	async ({provider}) => (provider === 'offline' || provider === 'scripted' ? undefined : new Response('').text()),
	loadHighlight,
];

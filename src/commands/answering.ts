import {loadHighlight} from '../tui/transcript/markdown/highlight.ts';
import {loadModel} from '../worker/index.ts';
import type {Piece} from './forehand.ts';

/** What the first answer of a session is made with. */
export const answering: readonly Piece[] = [
	loadModel,
	// Node loads its fetch when it is first used.
	async ({provider}) => (provider === 'offline' || provider === 'scripted' ? undefined : new Response('').text()),
	loadHighlight,
];

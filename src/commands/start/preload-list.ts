import {loadHighlight} from '../../tui/transcript/markdown/highlight.ts';
import {loadModel, type ModelSpec} from '../../worker/index.ts';

/** Loads one of the modules that an answer needs. */
export type Load = (spec: ModelSpec) => Promise<unknown>;

/** What the first answer of a session needs. */
export const preloadList: readonly Load[] = [
	loadModel,
	// Node loads its fetch when it is first used.
	async ({provider}) => (provider === 'offline' || provider === 'scripted' ? undefined : new Response('').text()),
	loadHighlight,
];

import {loadHighlight} from '../../screen/markdown/highlight.ts';
import {loadModel, type ModelSpec} from '../../worker/index.ts';

/** Loads one module that an answer needs. */
export type Load = (spec: ModelSpec) => Promise<unknown>;

/** The modules that the first answer of a session needs. */
export const preloadList: readonly Load[] = [
	loadModel,
	// Node loads its own fetch at the first use.
	async ({provider}) => (provider === 'offline' || provider === 'scripted' ? undefined : new Response('').text()),
	loadHighlight,
];

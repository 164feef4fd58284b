import {loadPromptFiles} from '../../pod/index.ts';
import {loadHighlight} from '../../screen/markdown/highlight.ts';
import {loadConnections, loadModel, type ModelSpec} from '../../worker/index.ts';

/** Loads one module that an answer needs. */
export type Load = (spec: ModelSpec) => Promise<unknown>;

/** The modules that the first answer of a session needs. */
export const preloadList: readonly Load[] = [
	loadModel,
	async spec => Promise.all([loadPromptFiles(), isLocal(spec) ? undefined : loadConnections()]),
	loadHighlight,
];

/** Tells whether a model answers without a connection. */
function isLocal({provider}: ModelSpec): boolean {
	return provider === 'offline' || provider === 'scripted';
}

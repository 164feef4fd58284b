import {createPathSearch, type Found} from '../../../src/pod/completion/path-search.ts';
import type {Scope} from '../../../src/pod/scope/scope.ts';

export type Searching = {
	/** The answer when the index is built. */
	(text: string, limit?: number): Promise<Found>;
	/** The paths of the answer. */
	readonly paths: (text: string, limit?: number) => Promise<readonly string[]>;
};

/** A path search in this thread. */
export function searching(scope: Scope | (() => Scope)): Searching {
	const search = createPathSearch({
		onError: error =>
			queueMicrotask(() => {
				throw error;
			}),
	});
	const ask = async (text: string, limit = 50): Promise<Found> => {
		for (;;) {
			const found = await search.search(typeof scope === 'function' ? scope() : scope, text, limit);
			if (!found.indexing) return found;
			await new Promise(resolve => setImmediate(resolve));
		}
	};
	return Object.assign(ask, {paths: async (text: string, limit?: number) => pathsOf(await ask(text, limit))});
}

export function pathsOf({matches}: Found): readonly string[] {
	return matches.map(match => (match.type === 'path' ? match.path : `/${match.slug}`));
}

/** The matched letters of each answer in brackets. */
export function marked({matches}: Found): readonly string[] {
	return matches.map(match =>
		match.type === 'path'
			? [...match.path.split('').entries()]
					.map(([unit, letter]) => (match.marks.includes(unit) ? `[${letter}]` : letter))
					.join('')
					.replaceAll('][', '')
			: '',
	);
}

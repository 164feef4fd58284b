import {createPathSearch, type PathMatches} from '../../../../src/pod/references/completion/path-search.ts';
import type {Scope} from '../../../../src/pod/scope/scope.ts';

export type PathSearcher = {
	/** Returns the answer after the index is built. */
	(text: string, limit?: number): Promise<PathMatches>;
	/** Returns the paths of the answer. */
	readonly paths: (text: string, limit?: number) => Promise<readonly string[]>;
};

/** Creates a path search in this thread. */
export function searchPaths(scope: Scope | (() => Scope)): PathSearcher {
	const search = createPathSearch({
		onError: error =>
			queueMicrotask(() => {
				throw error;
			}),
	});
	const ask = async (text: string, limit = 50): Promise<PathMatches> => {
		for (;;) {
			const found = await search.search(typeof scope === 'function' ? scope() : scope, text, limit);
			if (!found.indexing) return found;
			await new Promise(resolve => setImmediate(resolve));
		}
	};
	return Object.assign(ask, {paths: async (text: string, limit?: number) => pathsOf(await ask(text, limit))});
}

export function pathsOf({matches}: PathMatches): readonly string[] {
	return matches.map(match => (match.type === 'path' ? match.path : `/${match.slug}`));
}

/** Returns the paths of an answer with the matched letters in brackets. */
export function marked({matches}: PathMatches): readonly string[] {
	return matches.map(match =>
		match.type === 'path'
			? [...match.path.split('').entries()]
					.map(([unit, letter]) => (match.marks.includes(unit) ? `[${letter}]` : letter))
					.join('')
					.replaceAll('][', '')
			: '',
	);
}

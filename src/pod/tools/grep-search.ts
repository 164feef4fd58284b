import type {Scope} from '../scope/scope.ts';
import type {Findings, GrepOutput} from './findings.ts';
import type {Moved} from './stable-search.ts';

/** One search, as both engines understand it. */
export type Search = {
	readonly scope: Scope;
	readonly pattern: string;
	/** A real path in the scope. */
	readonly start: {readonly real: string; readonly kind: 'directory' | 'file'};
	readonly output: GrepOutput;
	readonly context: number;
	/** Asked with a path as it is shown; says nothing of secrets. */
	readonly accepts: (path: string) => boolean;
	readonly signal: AbortSignal;
	/** Milliseconds since the epoch: what moved after it is not to be trusted. */
	readonly since: number;
};

/** How a search ended, once all it found is in the findings. */
export type SearchEnd =
	| {
			readonly ok: true;
			/** Files that were skipped because they look like secrets, as shown, as far as the search went. */
			readonly secrets: readonly string[];
			/** What else was not searched, a sentence each. */
			readonly notes: readonly string[];
	  }
	/** For the model: what is wrong with the pattern. */
	| {readonly ok: false; readonly message: string};

/** A way to search. Rejects when the signal is aborted. */
export type SearchEngine = (search: Search, findings: Findings) => Promise<SearchEnd | Moved>;

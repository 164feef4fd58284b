import type {Scope} from '../../scope/scope.ts';
import type {Findings, GrepOutput} from './walk.ts';
import type {Moved} from './search-root.ts';

/** A search in a form that both engines accept. */
export type Search = {
	readonly scope: Scope;
	readonly pattern: string;
	/** The start of the search: a real path in the scope. */
	readonly start: {readonly real: string; readonly kind: 'directory' | 'file'};
	readonly output: GrepOutput;
	readonly context: number;
	/** Tells whether the search includes a displayed path. Does not consider secrets. */
	readonly accepts: (path: string) => boolean;
	readonly signal: AbortSignal;
	/**
	The start time in milliseconds since the epoch. If a folder moved after this time, its results are not trusted.
	*/
	readonly since: number;
};

/** The end of a search. By then all of its results are in the findings. */
export type SearchEnd =
	| {
			readonly ok: true;
			/**
			The displayed paths of skipped files that look like secrets, up to the point where the search stopped.
			*/
			readonly secrets: readonly string[];
			/** Sentences about everything else that the search left out. */
			readonly notes: readonly string[];
	  }
	/** `message` explains a problem of the pattern to the model. */
	| {readonly ok: false; readonly message: string};

/** An engine for searches. It rejects when the signal is aborted. */
export type SearchEngine = (search: Search, findings: Findings) => Promise<SearchEnd | Moved>;

import type {CompletionQuery, Completions, Match} from '../protocol.ts';
import type {Scope} from '../scope/scope.ts';
import {createPathThread} from './path-thread.ts';

/**
Answers what a popup asks. Every answer carries its query; a path query that a later one overtook is answered with
nothing and `indexing`.
*/
export type Completion = {
	complete(query: CompletionQuery): Promise<Completions>;
	/** Lets go of what it holds. Whoever waits is answered with nothing. */
	close(): void;
};

export type CompletionOptions = {
	/** Asked at every query: a folder that was added counts at once. */
	readonly scope: () => Scope;
	readonly workflows?: () => Promise<readonly NamedWorkflow[]>;
};

export type NamedWorkflow = {readonly slug: string; readonly description: string};

/** Completion over a scope. Nothing is started before the first query. */
export function createCompletion({scope, workflows = noWorkflows}: CompletionOptions): Completion {
	const thread = createPathThread();
	return {
		async complete(query) {
			const limit = Math.min(Math.max(Math.floor(query.limit), 0), mostMatches);
			if (query.kind === 'workflow')
				return {query, matches: await fittingWorkflows(await workflows(), query.text, limit), indexing: false};
			return {query, ...(await thread.ask(scope(), query.text, limit))};
		},
		close: () => thread.close(),
	};
}

const mostMatches = 1000;

const noWorkflows = async (): Promise<readonly NamedWorkflow[]> => [];

async function fittingWorkflows(all: readonly NamedWorkflow[], text: string, limit: number): Promise<Match[]> {
	if (limit === 0) return [];
	const {go} = await import('fuzzysort');
	const matchOf = ({slug, description}: NamedWorkflow, marks: readonly number[]): Match => ({
		type: 'workflow',
		slug,
		description,
		marks,
	});
	if (text === '') return all.slice(0, limit).map(workflow => matchOf(workflow, []));
	return go(text, all, {key: 'slug', limit, threshold: 0}).map(({obj, indexes}) => matchOf(obj, indexes));
}

import type {CompletionQuery, Completions, Match} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {createPathThread} from './path-thread.ts';

/**
Answers the queries of a popup. Every answer contains its query. If a later path query overtakes an earlier one, the
earlier one gets no matches and `indexing`.
*/
export type Completion = {
	complete(query: CompletionQuery): Promise<Completions>;
	/** Frees all resources. Pending queries get no matches. */
	close(): void;
};

export type CompletionOptions = {
	/** Returns the current scope. Each query calls this function, so that an added folder counts at once. */
	readonly scope: () => Scope;
	readonly workflows?: () => Promise<readonly NamedWorkflow[]>;
	/** Returns the resources of MCP servers that fit the text after `@`, as they are written there. */
	readonly resources?: (text: string) => Promise<readonly string[]>;
};

export type NamedWorkflow = {readonly slug: string; readonly description: string};

/** Creates the completion for a scope. Nothing starts before the first query. */
export function createCompletion({
	scope,
	workflows = noWorkflows,
	resources = async () => [],
}: CompletionOptions): Completion {
	const thread = createPathThread();
	return {
		async complete(query) {
			const limit = Math.min(Math.max(Math.floor(query.limit), 0), maxMatches);
			if (query.kind === 'workflow')
				return {query, matches: await matchWorkflows(await workflows(), query.text, limit), indexing: false};
			const [found, listed] = await Promise.all([
				thread.ask(plainScope(scope()), query.text, limit),
				resources(query.text),
			]);
			const named = await matchResources(listed, query.text, limit);
			return {query, ...found, matches: [...named, ...found.matches].slice(0, limit)};
		},
		close: () => thread.close(),
	};
}

const maxMatches = 1000;

const noWorkflows = async (): Promise<readonly NamedWorkflow[]> => [];

async function matchWorkflows(all: readonly NamedWorkflow[], text: string, limit: number): Promise<Match[]> {
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

async function matchResources(all: readonly string[], text: string, limit: number): Promise<Match[]> {
	if (all.length === 0 || text === '') return [];
	const {go} = await import('fuzzysort');
	return go(text, all, {limit, threshold: 0}).map(({target, indexes}) => ({
		type: 'path',
		path: target,
		directory: false,
		ignored: false,
		marks: indexes,
	}));
}

/** Only data can be sent to a thread. */
function plainScope(scope: Scope): Scope {
	const {copyOf: _, ...plain} = scope;
	return plain;
}

import {dirname} from 'node:path';
import type {Query} from '../../protocol/queries.ts';
import {recordPrompts} from '../../disk/prompt-history/record-prompts.ts';
import type {PodOptions} from './options.ts';
import type {SessionParts} from './session.ts';

/** The user's prompts in all sessions of the project. `recorded` resolves when the committed ones are stored. */
export type PromptHistoryParts = {readonly searchPrompts: Query<'prompts'>; readonly recorded: () => Promise<void>};

/** Stores the prompts of a chat. Those of print mode are not stored, because a script may send them. */
export function assemblePromptHistory(
	{session: stored, attended}: PodOptions,
	{history, warn}: SessionParts,
): PromptHistoryParts {
	const place = () => ({project: dirname(stored.dir), session: stored.id});
	let search: Promise<Query<'prompts'>> | undefined;
	return {
		async searchPrompts(query, signal) {
			search ??= import('../../disk/prompt-history/prompt-search.ts').then(({createPromptSearch}) =>
				createPromptSearch(place),
			);
			return (await search)(query, signal);
		},
		recorded: attended ? recordPrompts({history, place, onProblem: warn}) : async () => {},
	};
}

import {dirname} from 'node:path';
import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {recordPrompts} from '../disk/prompt-history/record-prompts.ts';
import type {Query} from '../protocol/queries.ts';

/** The user's prompts in all sessions of the project. Those of print mode are not stored: a script may send them. */
export function promptHistoryFeature({
	options: {session: stored, attended},
	session: {history, warn},
}: PodParts): Feature {
	const place = () => ({project: dirname(stored.dir), session: stored.id});
	let search: Promise<Query<'prompts'>> | undefined;
	return {
		name: 'prompt_history',
		queries: {
			async prompts(query, signal) {
				search ??= import('../disk/prompt-history/prompt-search.ts').then(({createPromptSearch}) =>
					createPromptSearch(place),
				);
				return (await search)(query, signal);
			},
		},
		...(attended && {stop: recordPrompts({history, place, onProblem: warn})}),
	};
}

import {lastSetup, type Item} from '../../worker/index.ts';
import {readGitHead} from '../scope/git-head.ts';
import type {Scope} from '../scope/scope.ts';
import {changeLabel, type SessionFacts} from './label.ts';

export type FactsOptions = {
	/** The folder of the session. */
	readonly dir: string;
	readonly items: readonly Item[];
	/** What the session has cost, in USD. */
	readonly usd: number;
	/** The scope with the working directory, for its git branch. */
	readonly scope: Pick<Scope, 'pwd' | 'owners'>;
};

/**
Stores for the list of sessions what only the whole history tells. Called when a session closes. A failure is not
reported, because the list is only a convenience.
*/
export async function storeFacts({dir, items, usd, scope}: FactsOptions): Promise<void> {
	const turns = items.filter(({type}) => type === 'run_end').length;
	if (turns === 0) return;
	const {pwd, owners} = scope;
	const head = owners === undefined ? undefined : await readGitHead(pwd, owners).catch(() => undefined);
	const facts: SessionFacts = {
		turns,
		model: (lastSetup(items)?.model ?? '').slice(0, 200),
		...(usd > 0 && {usd}),
		...(head !== undefined && 'branch' in head && {branch: head.branch.slice(0, 200)}),
	};
	await changeLabel(dir, {facts}).catch(() => undefined);
}

import {lastSetup, type History, type Item} from '../../../worker/index.ts';
import {interruption, missingRunEnd} from '../../ground/history/reader.ts';
import {readGitHead} from '../../scope/git-head.ts';
import type {Scope} from '../../scope/scope.ts';
import {familyBytes} from '../list/family-bytes.ts';
import {changeLabel, type SessionFacts} from '../list/label.ts';

type FactsOptions = {
	/** Returns the folder of the session, which changes if it has to be saved again. */
	readonly dir: () => string;
	readonly history: Pick<History, 'items' | 'observe'>;
	/** Returns what the session and its family have cost, in USD. */
	readonly usd: () => Promise<number>;
	/** The scope with the working directory, for its git branch. */
	readonly scope: Pick<Scope, 'pwd' | 'owners'>;
};

export type FactStore = {
	/** Stores the facts, after those that are being stored. Never rejects. */
	readonly store: () => Promise<void>;
	/** Stops the observation. */
	readonly stop: () => void;
};

/**
Stores for the list of sessions what only the whole history tells: after the first answer, and at the end of each turn.
So the list knows it also if the process is killed. A failure is not reported, because the list is only a convenience.
*/
export function createFactStore({dir, history, usd, scope}: FactsOptions): FactStore {
	let last = Promise.resolve();
	let hasStored = false;
	const store = async () => {
		hasStored = true;
		last = last.then(async () => storeFacts(dir(), history, usd, scope)).catch(() => undefined);
		return last;
	};
	const stop = history.observe(({type}) => {
		if (type === 'run_end' || (type === 'request_end' && !hasStored)) void store();
	});
	return {store, stop};
}

/** The number of turns, the model and the rest of a history. A turn that lacks its end counts, too. */
export function turnFacts(items: readonly Item[]): Pick<SessionFacts, 'turns' | 'model' | 'interrupted'> {
	const ends = items.filter(({type}) => type === 'run_end').length;
	const cause = interruption(items);
	return {
		turns: ends + missingRunEnd(items, noClock).length,
		model: (lastSetup(items)?.model ?? '').slice(0, 200),
		...(cause !== undefined && cause !== 'cancelled' && {interrupted: true}),
	};
}

async function storeFacts(
	dir: string,
	history: FactsOptions['history'],
	usd: FactsOptions['usd'],
	{pwd, owners}: FactsOptions['scope'],
): Promise<void> {
	// The size comes first: if something is appended meanwhile, the facts count as old, and are read again.
	const bytes = await familyBytes(dir);
	const known = turnFacts(history.items);
	if (known.turns === 0) return;
	const cost = await usd();
	const head = owners === undefined ? undefined : await readGitHead(pwd, owners).catch(() => undefined);
	const facts: SessionFacts = {
		...known,
		...(cost > 0 && {usd: cost}),
		...(head !== undefined && 'branch' in head && {branch: head.branch.slice(0, 200)}),
		bytes,
	};
	await changeLabel(dir, {facts});
}

/** Only the number of missing ends counts. */
const noClock = {id: () => '', now: () => 0};

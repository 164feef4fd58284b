import {lastSetup, type Draft, type Item} from '../../../worker/index.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import type {Ledger, PodClient, UnfinishedCompactions} from '../../protocol.ts';
import {maxAsked} from '../../references/submission/stale.ts';
import {ledgerOf, shownFiles, withStates} from './ledger.ts';
import {estimateTokens} from '../../ground/text/tokens.ts';
import {countedRatio} from '../../ground/counts/usage.ts';

export type LedgerSource = {
	readonly items: () => readonly Item[];
	/** Returns the setup of the next request. It is called only while history has no setup. */
	readonly setup?: () => Promise<Draft<'setup'>>;
	readonly stale: PodClient['stale'];
	/** Returns the window of the next request's model, in tokens. */
	readonly window?: () => number | undefined;
	/** Returns the compactions that did not finish, or `undefined` if there are none. */
	readonly unfinished?: () => UnfinishedCompactions | undefined;
};

/**
Creates the query for the current ledger, with the states of its files.
Like the status line, it scales its estimates by the provider's last count.
*/
export function createLedger({items, setup, stale, window, unfinished}: LedgerSource): () => Promise<Ledger> {
	return async () => {
		const draft = lastSetup(items()) === undefined ? await setup?.() : undefined;
		const ratio = countedRatio(items(), projectedItems);
		const ledger = ledgerOf(items(), {
			estimate: text => Math.round(ratio * estimateTokens(text)),
			setup: draft,
		});
		const ids = shownFiles(ledger);
		const asked = Array.from({length: Math.ceil(ids.length / maxAsked)}, (_, n) =>
			ids.slice(n * maxAsked, (n + 1) * maxAsked),
		);
		const states = [];
		for (const some of asked) states.push(...(await stale(some)));
		const size = window?.();
		const lost = unfinished?.();
		return {
			...withStates(ledger, states),
			...(size !== undefined && {window: size}),
			...(lost !== undefined && {unfinished: lost}),
		};
	};
}

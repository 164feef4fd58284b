import {hashContents, trustDetail, type TrustContent, type TrustSubject} from './contents.ts';
import type {TrustStore} from './store.ts';
import {trustTexts} from './texts.ts';

/** Contents of a project that could do harm, because they run, grant permissions or replace your own files. */
export type TrustClaim = {
	readonly subject: TrustSubject;
	/** The text of the question. */
	readonly title: string;
	/** The exact texts that are used after a “Yes”, with their names. */
	readonly contents: readonly TrustContent[];
	/** The tool call that waits for the answer, if there is one. */
	readonly callId?: string;
};

/** The result of a check. `unattended`: the contents are not trusted, and no one can approve. */
export type TrustVerdict = 'trusted' | 'denied' | 'unattended' | 'aborted';

export type Trust = {
	/** Asks the user, unless exactly these contents are trusted. */
	check(claim: TrustClaim, signal: AbortSignal): Promise<TrustVerdict>;
};

export type TrustOptions = {
	/** Opens the store. It is called on first use. */
	readonly store: () => Promise<TrustStore>;
	/**
	Shows a card. It resolves with `undefined` if the signal is aborted first. It is absent if no one can approve.
	*/
	readonly ask?: (question: TrustQuestion, signal: AbortSignal) => Promise<{readonly choice: string} | undefined>;
	/** Whether this run trusts the first contents of each subject (`--trust`). In that case nothing is saved. */
	readonly acceptPresent: boolean;
	/** The function that is called if an answer could not be saved. */
	readonly onProblem: (sentence: string) => void;
};

export type TrustQuestion = {
	readonly title: string;
	readonly detail: string;
	readonly callId?: string;
	readonly choices: ReadonlyArray<{
		readonly choice: 'trust' | 'deny';
		readonly label: string;
		readonly refuses?: boolean;
	}>;
};

/**
Creates the trust in contents, which are identified by their hash. It asks one question about a subject at a time.
*/
export function createTrust({store, ask, acceptPresent, onProblem}: TrustOptions): Trust {
	/** The contents that were trusted since the start, by subject. */
	const trusted = new Map<string, readonly TrustContent[]>();
	const pending = new Map<string, Promise<unknown>>();
	let opened: Promise<TrustStore> | undefined;

	async function decide(
		key: string,
		{subject, title, contents, callId}: TrustClaim,
		signal: AbortSignal,
	): Promise<TrustVerdict> {
		if (signal.aborted) return 'aborted';
		const hash = hashContents(contents);
		const mine = trusted.get(key);
		if (mine !== undefined && hashContents(mine) === hash) return 'trusted';
		const kept = await (opened ??= store());
		const earlier = (await kept.read(subject)) ?? mine;
		if (earlier !== undefined && hashContents(earlier) === hash) return 'trusted';
		if (acceptPresent && mine === undefined) {
			trusted.set(key, contents);
			return 'trusted';
		}
		if (ask === undefined) return 'unattended';
		const detail = await trustDetail(contents, earlier);
		const answer = await ask({title, detail, choices, ...(callId !== undefined && {callId})}, signal);
		if (answer === undefined || signal.aborted) return 'aborted';
		if (answer.choice !== 'trust') return 'denied';
		trusted.set(key, contents);
		const trouble = await kept.write(subject, contents);
		if (trouble !== undefined) onProblem(trouble);
		return 'trusted';
	}

	return {
		async check(claim, signal) {
			const key = JSON.stringify([claim.subject.kind, claim.subject.name]);
			const before = pending.get(key) ?? Promise.resolve();
			const verdict = before.then(async () => decide(key, claim, signal));
			pending.set(
				key,
				verdict.catch(() => {}),
			);
			return verdict;
		},
	};
}

const choices: TrustQuestion['choices'] = [
	{choice: 'trust', label: trustTexts.accept},
	{choice: 'deny', label: trustTexts.deny, refuses: true},
];

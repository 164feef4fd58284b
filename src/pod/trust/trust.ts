import {hashOf, trustDetail, type TrustContent, type TrustSubject} from './contents.ts';
import type {TrustStore} from './store.ts';

/**
Contents of a project that are about to be used where they could harm: they run, or they widen what is allowed, or take
the place of the person's own.
*/
export type TrustClaim = {
	readonly subject: TrustSubject;
	/** The question. */
	readonly title: string;
	/** The very texts that will be used when they are trusted, with what they are called. */
	readonly contents: readonly TrustContent[];
	/** The tool call that waits, where one does. */
	readonly callId?: string;
};

/** `unattended`: they are not trusted, and nobody can be asked. */
export type TrustVerdict = 'trusted' | 'denied' | 'unattended' | 'aborted';

export type Trust = {
	/** Asks the person unless they trusted exactly these contents before. */
	check(claim: TrustClaim, signal: AbortSignal): Promise<TrustVerdict>;
};

export type TrustOptions = {
	/** Opened when it is first needed. */
	readonly store: () => Promise<TrustStore>;
	/** Shows a card. Resolves with `undefined` when the signal is aborted first. Absent where nobody can be asked. */
	readonly ask?: (question: TrustQuestion, signal: AbortSignal) => Promise<{readonly choice: string} | undefined>;
	/** `--trust`: for this run whatever a subject holds when it is first looked at is trusted, and kept nowhere. */
	readonly acceptPresent: boolean;
	/** Tells what could not be kept. */
	readonly onTrouble: (sentence: string) => void;
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

/** Trust that is bound to contents, by their hash. One question about a subject at a time. */
export function createTrust({store, ask, acceptPresent, onTrouble}: TrustOptions): Trust {
	/** What was trusted since the start, by subject. */
	const trusted = new Map<string, readonly TrustContent[]>();
	const last = new Map<string, Promise<unknown>>();
	let opened: Promise<TrustStore> | undefined;

	async function decide(
		key: string,
		{subject, title, contents, callId}: TrustClaim,
		signal: AbortSignal,
	): Promise<TrustVerdict> {
		if (signal.aborted) return 'aborted';
		const hash = hashOf(contents);
		const mine = trusted.get(key);
		if (mine !== undefined && hashOf(mine) === hash) return 'trusted';
		const kept = await (opened ??= store());
		const earlier = (await kept.read(subject)) ?? mine;
		if (earlier !== undefined && hashOf(earlier) === hash) return 'trusted';
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
		if (trouble !== undefined) onTrouble(trouble);
		return 'trusted';
	}

	return {
		async check(claim, signal) {
			const key = JSON.stringify([claim.subject.kind, claim.subject.name]);
			const before = last.get(key) ?? Promise.resolve();
			const verdict = before.then(async () => decide(key, claim, signal));
			last.set(
				key,
				verdict.catch(() => {}),
			);
			return verdict;
		},
	};
}

const choices: TrustQuestion['choices'] = [
	{choice: 'trust', label: 'Yes, trust it'},
	{choice: 'deny', label: 'No', refuses: true},
];

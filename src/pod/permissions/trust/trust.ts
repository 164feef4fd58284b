import {hashContents, trustDetail, type TrustContent, type TrustSubject} from './store.ts';
import type {TrustStore} from './store.ts';
import {trustTexts} from './texts.ts';

/** Contents of a project that could do harm, because they run, grant permissions or replace the user's own files. */
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
	/**
	Checks several claims, and asks about all unknown claims on one card. `title` returns the question of the card for
	their number. The verdicts are in the order of the claims.
	*/
	checkAll(
		claims: readonly TrustClaim[],
		title: (count: number) => string,
		signal: AbortSignal,
	): Promise<readonly TrustVerdict[]>;
};

export type TrustOptions = {
	/** Opens the store. Called on first use. */
	readonly store: () => Promise<TrustStore>;
	/**
	Shows a card. Resolves with `undefined` if the signal is aborted first. `ask` is absent if no one can approve.
	*/
	readonly ask?: (question: TrustQuestion, signal: AbortSignal) => Promise<{readonly choice: string} | undefined>;
	/** Whether this run trusts the first contents of each subject (`--trust`). In that case nothing is saved. */
	readonly acceptPresent: boolean;
	/** Called if an answer could not be saved. */
	readonly onProblem: (sentence: string) => void;
};

export type TrustQuestion = {
	readonly title: string;
	readonly detail: string;
	readonly callId?: string;
	readonly choices: ReadonlyArray<{
		readonly choice: 'trust' | 'deny' | 'each';
		readonly label: string;
		readonly refuses?: boolean;
	}>;
};

/**
Creates the trust checks of a session. Contents are identified by their hash. Only one question about a subject is open
at a time.
*/
export function createTrust(options: TrustOptions): Trust {
	const context: Context = {...options, trusted: new Map(), opened: undefined};
	const queue = createQueue();
	const check = async (claim: TrustClaim, signal: AbortSignal): Promise<TrustVerdict> =>
		queue([claim], signal, async () => decide(context, claim, signal));
	return {
		check,
		async checkAll(claims, title, signal) {
			const verdicts = await queue(claims, signal, async () => decideAll(context, claims, title, signal));
			const all: TrustVerdict[] = [];
			for (const [index, claim] of claims.entries()) {
				const verdict = verdicts === 'aborted' ? verdicts : (verdicts[index] ?? 'aborted');
				all.push(verdict === 'each' ? await check(claim, signal) : verdict);
			}
			return all;
		},
	};
}

type Context = TrustOptions & {
	/** The contents that were trusted since the start of the session, by subject. */
	readonly trusted: Map<string, readonly TrustContent[]>;
	opened: Promise<TrustStore> | undefined;
};

type Queue = <Value>(
	claims: readonly TrustClaim[],
	signal: AbortSignal,
	work: () => Promise<Value>,
) => Promise<Value | 'aborted'>;

/**
Creates a queue. Work waits until earlier questions about the same subjects are answered. An aborted signal ends the
wait.
*/
function createQueue(): Queue {
	const pending = new Map<string, Promise<unknown>>();
	return async (claims, signal, work) => {
		const keys = claims.map(({subject}) => keyOf(subject));
		const begun = Promise.all(keys.map(async key => pending.get(key))).then(work);
		const settled = begun.catch(() => {});
		for (const key of keys) pending.set(key, settled);
		const stopped = Promise.withResolvers<'aborted'>();
		const stop = () => stopped.resolve('aborted');
		signal.addEventListener('abort', stop, {once: true});
		if (signal.aborted) stop();
		return Promise.race([begun, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
	};
}

type Known =
	| {readonly verdict: 'trusted' | 'unattended'; readonly earlier?: undefined}
	/** The version that was trusted before. */
	| {readonly verdict?: undefined; readonly earlier: readonly TrustContent[] | undefined};

/** Decides without a question if that is possible. Otherwise returns the version that was trusted before. */
async function known(context: Context, {subject, contents}: TrustClaim): Promise<Known> {
	const {trusted, acceptPresent, ask} = context;
	const key = keyOf(subject);
	const hash = hashContents(contents);
	const mine = trusted.get(key);
	if (mine !== undefined && hashContents(mine) === hash) return {verdict: 'trusted'};
	const earlier = (await (await storeOf(context)).read(subject)) ?? mine;
	if (earlier !== undefined && hashContents(earlier) === hash) return {verdict: 'trusted'};
	if (acceptPresent && mine === undefined) {
		trusted.set(key, contents);
		return {verdict: 'trusted'};
	}
	return ask === undefined ? {verdict: 'unattended'} : {earlier};
}

async function storeOf(context: Context): Promise<TrustStore> {
	return (context.opened ??= context.store());
}

async function accept(context: Context, {subject, contents}: TrustClaim): Promise<void> {
	context.trusted.set(keyOf(subject), contents);
	const trouble = await (await storeOf(context)).write(subject, contents);
	if (trouble !== undefined) context.onProblem(trouble);
}

async function decide(context: Context, claim: TrustClaim, signal: AbortSignal): Promise<TrustVerdict> {
	if (signal.aborted) return 'aborted';
	const {verdict, earlier} = await known(context, claim);
	if (verdict !== undefined || context.ask === undefined) return verdict ?? 'unattended';
	const {title, contents, callId} = claim;
	const detail = await trustDetail(contents, earlier);
	const answer = await context.ask({title, detail, choices, callId}, signal);
	if (answer === undefined || signal.aborted) return 'aborted';
	if (answer.choice !== 'trust') return 'denied';
	await accept(context, claim);
	return 'trusted';
}

/** Asks about the unknown claims on one card. The verdict `each` means that the claim needs a question of its own. */
async function decideAll(
	context: Context,
	claims: readonly TrustClaim[],
	title: (count: number) => string,
	signal: AbortSignal,
): Promise<ReadonlyArray<TrustVerdict | 'each'>> {
	if (signal.aborted) return claims.map((): TrustVerdict => 'aborted');
	const {ask} = context;
	const found = await Promise.all(claims.map(async claim => ({claim, ...(await known(context, claim))})));
	const open = found.filter(({verdict}) => verdict === undefined);
	if (ask === undefined || open.length < 2) return found.map(({verdict}) => verdict ?? 'each');
	const parts = await Promise.all(
		open.map(
			async ({claim, earlier}) =>
				`${trustTexts.part(claim.title)}\n${await trustDetail(claim.contents, earlier)}`,
		),
	);
	const question = {title: title(open.length), detail: parts.join('\n\n'), choices: choicesForAll};
	const end = endOf(await ask(question, signal), signal);
	if (end === 'trusted') for (const {claim} of open) await accept(context, claim);
	return found.map(({verdict}) => verdict ?? end);
}

function endOf(answer: {readonly choice: string} | undefined, signal: AbortSignal): TrustVerdict | 'each' {
	if (answer === undefined || signal.aborted) return 'aborted';
	if (answer.choice === 'each') return 'each';
	return answer.choice === 'trust' ? 'trusted' : 'denied';
}

function keyOf({kind, name}: TrustSubject): string {
	return JSON.stringify([kind, name]);
}

const choices: TrustQuestion['choices'] = [
	{choice: 'trust', label: trustTexts.accept},
	{choice: 'deny', label: trustTexts.deny, refuses: true},
];

const choicesForAll: TrustQuestion['choices'] = [
	{choice: 'trust', label: trustTexts.acceptAll},
	{choice: 'each', label: trustTexts.askEach},
	{choice: 'deny', label: trustTexts.denyAll, refuses: true},
];

import {setImmediate as turn} from 'node:timers/promises';
import {parseItem, type Item, lastSetup, type History} from '../../../worker/index.ts';
import {lookUpModel, type ModelFacts} from '../../ground/counts/catalogue.ts';
import {totalCost, createSpent, endedSpending, sumSpending} from '../../ground/counts/spent.ts';
import {interruption, missingRunEnd} from '../../ground/history/reader.ts';
import {openFile, realFiles, type OpenFile} from '../files.ts';
import {
	changeLabel,
	cutLast,
	fileFacts,
	listedFacts,
	readLabel,
	type ListedFacts,
	type SessionFacts,
} from '../list/label.ts';
import {bodyOf, spanOf} from '../format/line.ts';
import {lockOwner} from '../log/lock.ts';
import {historyFile} from '../paths.ts';
import {readTail} from '../log/tail.ts';
import {readGitHead} from '../../scope/git-root.ts';
import type {Scope} from '../../scope/scope.ts';
import {familyBytes} from '../list/summary.ts';
import {isOfUser, nameOfItem, type ModelSpending} from '../../protocol.ts';
import {readFamily, type FamilyOptions} from './family.ts';
import {pricesOf} from '../../ground/counts/meter.ts';

/** `isHeld`: a process has the session open, even if no other process can attach to it. */
type ReadFacts = {readonly facts?: ListedFacts; readonly isHeld?: true};

/** Looks up the prices of a model. */
type ModelLookUp = (name: string) => ModelFacts;

const catalogued: ModelLookUp = name => lookUpModel(name) ?? {};

/**
Reads the facts for the list of sessions from a history whose stored facts are out of date, for example after its
process was killed. Does not change anything. Yields to the event loop every few milliseconds, so that no key press
waits. If a history is larger than `maxBytes`, it reads only the end. Never rejects: for an unreadable history, it
returns the stored facts.
*/
export async function readFacts(
	dir: string,
	signal: AbortSignal,
	models: ModelLookUp = catalogued,
): Promise<ReadFacts> {
	const [label, owner] = await Promise.all([readLabel(dir), lockOwner(dir, realFiles).catch(() => undefined)]);
	const known = listedFacts(label);
	const facts = await factsIn(dir, known, {signal, models}).catch(() => known);
	return {facts, ...(owner !== undefined && {isHeld: true})};
}

export type FactStore = {
	/** Stores the current facts after earlier calls have finished. Never rejects. */
	readonly store: () => Promise<void>;
	/** Stops the observation. */
	readonly stop: () => void;
};

/**
Stores the facts for the list of sessions that depend on the whole history. Stores them after the first answer and at
the end of each turn, so the list can show them even if the process is killed. A failure is not reported, because the
list is only a convenience.
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

/**
Returns the number of turns, the model, and whether the last turn was interrupted. A turn without an end counts, too.
*/
export function turnFacts(items: readonly Item[]): Pick<SessionFacts, 'turns' | 'model' | 'interrupted'> {
	const ends = items.filter(({type}) => type === 'run_end').length;
	const cause = interruption(items);
	return {
		turns: ends + missingRunEnd(items, noClock).length,
		model: (lastSetup(items)?.model ?? '').slice(0, 200),
		...(cause !== undefined && cause !== 'cancelled' && {interrupted: true}),
	};
}

/** Returns the cost of a stored session and its family. Uses only the stored records. */
export async function familySpending(
	{dir, items}: {readonly dir: string; readonly items: readonly Item[]},
	facts: (name: string) => ModelFacts,
	options?: FamilyOptions,
): Promise<readonly ModelSpending[]> {
	const family = await readFamily(dir, items, options);
	const prices = pricesOf(
		family.ended.map(({model}) => model),
		[...items, ...family.items],
		facts,
	);
	return sumSpending([
		createSpent(items.length)(items, prices),
		createSpent(Number.POSITIVE_INFINITY)(family.items, prices),
		endedSpending(family.ended, prices),
	]);
}

async function factsIn(
	dir: string,
	known: ListedFacts | undefined,
	{signal, models}: {readonly signal: AbortSignal; readonly models: ModelLookUp},
): Promise<ListedFacts | undefined> {
	const file = await openFile(realFiles, historyFile(dir));
	try {
		const {size} = await file.stat();
		if (size > maxBytes) return await endFacts(dir, known);
		const items = await lightItems(file, size, signal);
		return items === undefined ? known : await wholeFacts({dir, items}, known, models);
	} finally {
		await file.close();
	}
}

/**
Returns the facts of a whole history. If the stored cost is larger than the computed cost, the stored cost stays,
because only the session's process may have known the prices.
*/
async function wholeFacts(
	{dir, items}: {readonly dir: string; readonly items: readonly Item[]},
	known: ListedFacts | undefined,
	facts: ModelLookUp,
): Promise<ListedFacts | undefined> {
	const own = turnFacts(items);
	if (own.turns === 0) return known;
	const usd = Math.max(known?.usd ?? 0, totalCost(await familySpending({dir, items}, facts)).usd);
	return {
		...own,
		...fileFacts(items),
		...(usd > 0 && {usd}),
		...(known?.branch !== undefined && {branch: known.branch}),
	};
}

async function endFacts(dir: string, known: ListedFacts | undefined): Promise<ListedFacts | undefined> {
	const items = known === undefined ? undefined : await readTail(dir, endBytes);
	if (known === undefined || items === undefined) return known;
	const {interrupted: _, ...rest} = known;
	const cause = interruption(items);
	return {...rest, ...(cause !== undefined && cause !== 'cancelled' && {interrupted: true})};
}

/**
Reads the items of a history without their long texts. Skips lines that are not items, and does not check the chain.
*/
async function lightItems(file: OpenFile, size: number, signal: AbortSignal): Promise<Item[] | undefined> {
	const items: Item[] = [];
	let rest = Buffer.alloc(0);
	let since = performance.now();
	for (let at = 0; at < size; at += pieceBytes) {
		const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at));
		const {bytesRead} = await file.read(piece, 0, piece.length, at);
		const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
		let start = 0;
		for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
			const item = itemIn(bytes, start, end);
			if (item !== undefined) items.push(item);
			start = end + 1;
			if (performance.now() - since < sliceMs) continue;
			await turn();
			if (signal.aborted) return undefined;
			since = performance.now();
		}
		rest = bytes.subarray(start);
	}
	return signal.aborted ? undefined : items;
}

function itemIn(bytes: Buffer, start: number, end: number): Item | undefined {
	const span = spanOf(bytes, start, end);
	const item = span === undefined ? undefined : parseItem(bodyOf(bytes, span));
	return item === undefined ? undefined : withoutTexts(item);
}

/** Removes the long texts of an item. The listed facts do not depend on these texts. */
function withoutTexts(item: Item): Item {
	if (item.type === 'message' || item.type === 'reasoning') return {...item, text: ''};
	if (item.type === 'tool_result') {
		const changed = item.details?.['changed'];
		return {...item, content: '', details: changed === undefined ? undefined : {changed}};
	}
	if (item.type === 'tool_call') return {...item, arguments: ''};
	return item.type === 'setup' ? {...item, prompt: '', tools: []} : item;
}

const newline = 0x0a;

const pieceBytes = 262_144;

const maxBytes = 33_554_432;

const endBytes = 1_048_576;

const sliceMs = 4;

type FactsOptions = {
	/** Returns the folder of the session, which changes if it has to be saved again. */
	readonly dir: () => string;
	readonly history: Pick<History, 'items' | 'observe'>;
	/** Returns what the session and its family have cost, in USD. */
	readonly usd: () => Promise<number>;
	/** The scope, for the git branch of its working directory. */
	readonly scope: Pick<Scope, 'pwd' | 'owners'>;
};

async function storeFacts(
	dir: string,
	history: FactsOptions['history'],
	usd: FactsOptions['usd'],
	{pwd, owners}: FactsOptions['scope'],
): Promise<void> {
	// The size is read first. If something is appended after that, the stored facts count as out of date, and are read
	// again.
	const bytes = await familyBytes(dir);
	const known = turnFacts(history.items);
	if (known.turns === 0) return;
	const cost = await usd();
	const head = owners === undefined ? undefined : await readGitHead(pwd, owners).catch(() => undefined);
	const facts: SessionFacts = {
		...known,
		...fileFacts(history.items),
		last: cutLast(lastName(history.items)),
		...(cost > 0 && {usd: cost}),
		...(head !== undefined && 'branch' in head && {branch: head.branch.slice(0, 200)}),
		bytes,
	};
	await changeLabel(dir, {facts});
}

/** Returns the line that names the user's last message. */
function lastName(items: readonly Item[]): string | undefined {
	const last = items.findLast(isOfUser);
	return last && nameOfItem(last);
}

/** A clock for items that are only counted, so their ids and times do not matter. */
const noClock = {id: () => '', now: () => 0};

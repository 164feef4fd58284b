import {setImmediate as turn} from 'node:timers/promises';
import {parseItem, type Item} from '../../../worker/index.ts';
import {lookUpModel, type ModelFacts} from '../../ground/counts/catalogue.ts';
import {familySpending} from './family-spending.ts';
import {totalCost} from '../../ground/counts/spent.ts';
import {interruption} from '../../ground/history/reader.ts';
import {turnFacts} from './facts.ts';
import {openFile, realFiles, type OpenFile} from '../files.ts';
import {listedFacts, readLabel, type ListedFacts} from '../list/label.ts';
import {bodyOf, spanOf} from '../format/line.ts';
import {lockOwner} from '../log/lock.ts';
import {historyFile} from '../paths.ts';
import {readTail} from '../log/tail.ts';

/** `isHeld`: a process has the session open, whether or not others can attach to it. */
type ReadFacts = {readonly facts?: ListedFacts; readonly isHeld?: true};

/** Looks up the prices of a model. */
type ModelLookUp = (name: string) => ModelFacts;
const catalogued: ModelLookUp = name => lookUpModel(name) ?? {};

/**
Reads what the list of sessions shows of a history whose stored facts are old, such as that of a killed process. It
changes nothing, and gives way every few milliseconds, so that no key waits. Of a history larger than `maxBytes`, it
reads only the end. Never rejects: an unreadable history has only its stored facts.
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

/** A stored cost that is larger stays: it may be of prices that only the process knew. */
async function wholeFacts(
	{dir, items}: {readonly dir: string; readonly items: readonly Item[]},
	known: ListedFacts | undefined,
	facts: ModelLookUp,
): Promise<ListedFacts | undefined> {
	const own = turnFacts(items);
	if (own.turns === 0) return known;
	const usd = Math.max(known?.usd ?? 0, totalCost(await familySpending({dir, items}, facts)).usd);
	return {...own, ...(usd > 0 && {usd}), ...(known?.branch !== undefined && {branch: known.branch})};
}

async function endFacts(dir: string, known: ListedFacts | undefined): Promise<ListedFacts | undefined> {
	const items = known === undefined ? undefined : await readTail(dir, endBytes);
	if (known === undefined || items === undefined) return known;
	const {interrupted: _, ...rest} = known;
	const cause = interruption(items);
	return {...rest, ...(cause !== undefined && cause !== 'cancelled' && {interrupted: true})};
}

/**
Reads the items of a history without their long texts. It skips lines that are no items, and does not check the chain.
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

/** Neither the turns nor the cost nor an interruption depend on these texts. */
function withoutTexts(item: Item): Item {
	if (item.type === 'message' || item.type === 'reasoning') return {...item, text: ''};
	if (item.type === 'tool_result') return {...item, content: '', details: undefined};
	if (item.type === 'tool_call') return {...item, arguments: ''};
	return item.type === 'setup' ? {...item, prompt: '', tools: []} : item;
}

const newline = 0x0a;
const pieceBytes = 262_144;
const maxBytes = 33_554_432;
const endBytes = 1_048_576;
const sliceMs = 4;

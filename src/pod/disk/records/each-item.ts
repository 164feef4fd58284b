import {itemTypes, parseItem, type Item} from '../../../worker/index.ts';
import type {Decoded} from '../format/decode.ts';
import {openFile, failureOf, failureSentence, sizeOf, type Files, type OpenFile} from '../files.ts';
import {maxHeaderBytes, maxLineBytes} from '../format/limits.ts';
import {bodyOf, closing, headerSum, readHeader, spanOf, sumOf, type Header, type Span} from '../format/line.ts';
import {isDamageNotice} from '../log/notices.ts';
import {readSession} from '../log/read.ts';
import {streamPath} from '../log/stream-file.ts';
import {historyFile, idOf} from '../paths.ts';
import {recordTexts} from '../texts.ts';

/** An item of a history. Its text is decoded only when `item` is called. This works only before the next pause. */
export type RecordItem = {
	readonly id: string;
	readonly at: string;
	readonly type: string;
	/** Returns the item, or `undefined` if it does not have the form that inkpod writes. */
	readonly item: () => Item | undefined;
};

/** `copiedTo`: the id of the last item that a fork copied from another session. */
export type RecordHead = {
	readonly session: string;
	/** The directory in which the session began. */
	readonly cwd: string;
	readonly copiedTo?: string | undefined;
};

type Take = {
	readonly onHead: (head: RecordHead) => void;
	readonly onItem: (item: RecordItem) => void;
	/** Called after each piece of the file. The scan continues when the promise resolves with `true`. */
	readonly onPause: () => Promise<boolean>;
};

/**
Passes on each item of a history, in order, and checks the chain. An intact file needs little memory, whatever its size.
If a line does not have the expected form or checksum, or if text is not in the history yet, the function reads the
remaining items in the same way as all other commands. Resolves with a sentence if something is damaged or cannot be
read.
*/
export async function eachItem(dir: string, take: Take, files: Files): Promise<string | undefined> {
	const path = historyFile(dir);
	let passed = 0;
	let isHeadPassed = false;
	const counting: Take = {
		...take,
		onHead(head) {
			isHeadPassed = true;
			take.onHead(head);
		},
		onItem(item) {
			passed += 1;
			take.onItem(item);
		},
	};
	try {
		// The text of an unfinished session may be only in the log beside the history.
		if ((await sizeOf(streamPath(dir), files)) === 0) {
			const file = await openFile(files, path);
			try {
				if ((await scan(file, counting)) !== 'unsound') return undefined;
			} finally {
				await file.close();
			}
		}
	} catch (error) {
		return failureSentence(failureOf(error), path, error);
	}
	return readRest(dir, {passed, isHeadPassed}, take, files);
}

type Passed = {readonly passed: number; readonly isHeadPassed: boolean};

/**
Passes on all items except the first `passed` items. Reports damage, but not an end that a process is still writing.
*/
async function readRest(
	dir: string,
	{passed, isHeadPassed}: Passed,
	take: Take,
	files: Files,
): Promise<string | undefined> {
	const read = await readSession(dir, files);
	if (!read.ok) return read.sentence;
	const {items, decoded} = read.session;
	if (!isHeadPassed) take.onHead({session: idOf(dir), cwd: decoded.header.cwd, copiedTo: decoded.header.fork?.to});
	for (const [index, item] of items.slice(passed).entries()) {
		if (!isDamageNotice(item)) take.onItem({...item, item: () => item});
		if (index % pauseItems === pauseItems - 1 && !(await take.onPause())) return undefined;
	}
	return isSound(decoded) ? undefined : recordTexts.damaged(historyFile(dir));
}

function isSound({lines, unchecked, unseparated, isHeaderSound}: Decoded): boolean {
	const hasDamage = lines.some(line => 'damage' in line) || unchecked.length > 0 || unseparated.length > 0;
	return isHeaderSound && !hasDamage;
}

type Scanned = 'whole' | 'stopped' | 'unsound';

/** The state of a scan: the checksum of the last line, or `undefined` before the header. */
type Scan = {sum: string | undefined; isClosed: boolean};

/**
Reads an open file in pieces, up to its size at the start. `unsound`: a line does not have the form that inkpod writes.
*/
async function scan(file: OpenFile, take: Take): Promise<Scanned> {
	const {size} = await file.stat();
	const state: Scan = {sum: undefined, isClosed: false};
	let window = Buffer.allocUnsafe(Math.max(1, Math.min(size, pieceBytes)));
	for (let read = 0, filled = 0; read < size;) {
		const {bytesRead} = await file.read(window, filled, Math.min(window.length - filled, size - read), read);
		if (bytesRead === 0) return 'unsound';
		read += bytesRead;
		filled += bytesRead;
		const taken = takeLines(window.subarray(0, filled), state, take, read === size);
		if (taken === 'unsound') return taken;
		if (!(await take.onPause())) return 'stopped';
		window.copyWithin(0, taken, filled);
		filled -= taken;
		if (filled > maxLineBytes) return 'unsound';
		if (filled === window.length) window = Buffer.concat([window], window.length * 2);
	}
	return state.isClosed ? 'whole' : 'unsound';
}

/** Takes all complete lines of the bytes. Returns the length of these lines. */
function takeLines(bytes: Buffer, state: Scan, take: Take, isEnd: boolean): number | 'unsound' {
	let start = 0;
	for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
		if (isEnd && bytes.length - end === closing.length && bytes.subarray(end).equals(closing)) {
			// The last item has no comma. The closing brackets begin with its newline.
			state.isClosed = takeLine(bytes, {start, end, isLast: true}, state, take);
			return state.isClosed ? bytes.length : 'unsound';
		}
		if (!takeLine(bytes, {start, end, isLast: false}, state, take)) return 'unsound';
		start = end + 1;
	}
	return start;
}

type LineAt = {readonly start: number; readonly end: number; readonly isLast: boolean};

function takeLine(bytes: Buffer, {start, end, isLast}: LineAt, state: Scan, take: Take): boolean {
	if (state.sum === undefined) return takeHead(bytes.subarray(start, end), state, take);
	if ((bytes[end - 1] === comma) === isLast) return false;
	const span = spanOf(bytes, start, end);
	if (span === undefined || sumOf(bytes, span, state.sum) !== span.sum) return false;
	const item = recordItem(bytes, span);
	if (item === undefined) return false;
	state.sum = span.sum;
	take.onItem(item);
	return true;
}

function takeHead(line: Buffer, state: Scan, take: Take): boolean {
	if (line.length > maxHeaderBytes) return false;
	const read = readHeader(line.toString());
	if (!read.ok || !read.isSound) return false;
	state.sum = headerSum(line);
	take.onHead(headOf(read.header));
	return true;
}

function headOf({session, cwd, fork}: Header): RecordHead {
	return {session, cwd, copiedTo: fork?.to};
}

function recordItem(bytes: Buffer, span: Span): RecordItem | undefined {
	const {start, body} = span;
	const [, id, at, type] =
		beginning.exec(bytes.toString('latin1', start, Math.min(body, start + beginningBytes))) ?? [];
	const item = () => parseItem(bodyOf(bytes, span));
	if (id !== undefined && at !== undefined && type !== undefined)
		return itemTypes.has(type) ? {id, at, type, item} : undefined;
	const parsed = item();
	return parsed && {...parsed, item: () => parsed};
}

/** Matches the keys with which inkpod begins each line. Other lines are parsed to find these values. */
const beginning = /^\{"id":"([\w-]{1,64})","at":"([\w:.+-]{1,40})","type":"([a-z_]{1,24})"/;

const beginningBytes = 180;

const newline = 0x0a;

const comma = 0x2c;

/** The size of a piece in bytes. */
const pieceBytes = 1_048_576;

/** The number of items of a damaged or open session between two pauses. */
const pauseItems = 256;

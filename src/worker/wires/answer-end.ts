import {endOfSource, type Piece, type Source} from './http/source.ts';
import {parseJson} from './values.ts';

/** What an event says about the end of its answer. */
export type EndFacts = {
	/** Whether this is the last event. */
	readonly isLast?: boolean;
	/** Whether the event says why the model stopped. The usage may follow. */
	readonly hasFinish?: boolean;
	readonly hasUsage?: boolean;
};

/** How a provider ends its answers. For all providers, the event `[DONE]` also ends an answer. */
export type EndRule = {
	/**
	Matches every event that says something about the end, and few other events. Before a finish, only matching events
	are parsed.
	*/
	readonly marker: RegExp;
	readonly read: (event: unknown) => EndFacts;
};

/**
Returns the bytes of an event stream up to the end of the answer, because some servers leave the connection open. The
server gets a moment to end the body, so that the connection can be reused. A connection that breaks after the
end is not an error. `onFinish` is called when an event says why the model stopped. The function gets the number of
milliseconds for which the stream may then be silent without counting as stalled.
*/
export function endedByAnswer(source: Source, rule: EndRule, onFinish: (ms: number) => void = () => {}): Source {
	const finder = createEndFinder(rule);
	let pending: Promise<Piece> | undefined;
	let lastEventAt = 0;
	let isOver = false;

	/** Returns the next piece, or the end of the source if none arrives in time. */
	async function next(): Promise<Piece> {
		const timeout = finder.timeout();
		pending ??= source.read();
		const left = timeout === undefined ? undefined : lastEventAt + timeout - performance.now();
		const piece = await (left === undefined
			? pending
			: within(
					pending.catch(() => undefined),
					left,
				));
		pending = undefined;
		return piece ?? endOfSource;
	}

	/** Reads and drops everything after the last event. */
	async function drain(): Promise<void> {
		while (!(await next()).done);
		void source.cancel().catch(() => {});
	}

	return {
		async read() {
			if (isOver) return endOfSource;
			const isEnding = finder.timeout() !== undefined;
			const piece = await next();
			if (piece.done) {
				isOver = true;
				if (isEnding) void source.cancel().catch(() => {});
				return isEnding && finder.isBetweenLines() ? {done: false, value: blankLine} : piece;
			}
			const {hasEvent, end} = finder.scan(piece.value);
			if (hasEvent) lastEventAt = performance.now();
			const timeout = finder.timeout();
			if (timeout !== undefined) onFinish(timeout);
			if (end === undefined) return piece;
			isOver = true;
			await drain();
			return {done: false, value: Buffer.concat([piece.value.subarray(0, end), blankLine])};
		},
		cancel: async reason => source.cancel(reason),
	};
}

/** The bytes that end the last event, in case the server did not end it. */
const blankLine = Buffer.from('\n\n');

/**
How many milliseconds to wait. `last`: after the last event, for the end of the body. `finishAndUsage`: after a finish
and its usage, for the last event. `finish`: after a finish, for its usage.
*/
const timeouts = {last: 100, finishAndUsage: 1000, finish: 5000} as const;

/** Returns the value of the promise, or `undefined` if it takes longer than `ms`. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>(resolve => {
		timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
	});
	const found = await Promise.race([promise, late]);
	clearTimeout(timer);
	return found;
}

/** Whether the bytes complete an event, and for the last event, how many of these bytes belong to the answer. */
type Scan = {readonly hasEvent: boolean; readonly end?: number};

type EndFinder = {
	scan(bytes: Uint8Array): Scan;
	/** Tells whether the last line is complete. */
	isBetweenLines(): boolean;
	/** Returns how many milliseconds to wait for more bytes. Returns `undefined` while the answer continues. */
	timeout(): number | undefined;
};

function createEndFinder({marker, read}: EndRule): EndFinder {
	let facts: EndFacts = {};
	/** The pieces of the incomplete line, and their length. Pieces beyond `maxLine` are dropped. */
	let open: string[] = [];
	let openLength = 0;

	function addToOpen(text: string): void {
		openLength += text.length;
		if (openLength <= maxLine) open.push(text);
	}

	function scanLine(line: string): boolean {
		if (!line.startsWith('data:')) return false;
		if (isDone(line)) facts = {...facts, isLast: true};
		else if (facts.hasFinish === true || marker.test(line))
			facts = {...facts, ...read(parseJson(line.slice('data:'.length)))};
		return true;
	}

	/**
	Scans the incomplete line, because some servers end without a newline. Only an incomplete line that consists of few
	pieces is checked, so that a long line is not read again with each piece.
	*/
	function scanOpenLine(text: string, before: boolean): Scan {
		const isLast = text.endsWith(']') && open.length <= donePieces && isDone(open.join(''));
		return isLast ? {hasEvent: scanLine(open.join('')), end: text.length} : {hasEvent: before};
	}

	/** Scans complete lines from an offset. Most lines say nothing about the end. Such lines are skipped together. */
	function scanLines(text: string, from: number, before: boolean): Scan {
		let hasEvent = before;
		if (facts.hasFinish !== true && !text.includes('[DONE]', from) && !marker.test(text)) return {hasEvent};
		dataLine.lastIndex = from;
		for (let found = dataLine.exec(text); found !== null; found = dataLine.exec(text)) {
			hasEvent = scanLine(found[0]) || hasEvent;
			if (facts.isLast === true) return {hasEvent, end: dataLine.lastIndex};
		}
		return {hasEvent};
	}

	return {
		scan(bytes) {
			// Decoding each byte as one character is enough, because everything that says something about the end is
			// ASCII.
			const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
			const first = text.search(/[\r\n]/);
			addToOpen(first === -1 ? text : text.slice(0, first));
			if (first === -1) return scanOpenLine(text, false);
			const hasEvent = scanLine(open.join(''));
			if (facts.isLast === true) return {hasEvent, end: first};
			const last = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
			[open, openLength] = [[], 0];
			addToOpen(text.slice(last + 1));
			const lines = scanLines(text.slice(0, last), first, hasEvent);
			return lines.end === undefined ? scanOpenLine(text, lines.hasEvent) : lines;
		},
		isBetweenLines: () => openLength === 0,
		timeout() {
			if (facts.isLast === true) return timeouts.last;
			if (facts.hasFinish !== true) return undefined;
			return facts.hasUsage === true ? timeouts.finishAndUsage : timeouts.finish;
		},
	};
}

/**
The maximum length in bytes of a line that is checked. If a longer line is the last event, the answer ends when the body
ends.
*/
const maxLine = 1024 * 1024;

const dataLine = /^data:.*/gm;

/** The maximum number of pieces of an incomplete line that is checked. `data: [DONE]` may arrive byte by byte. */
const donePieces = 12;

function isDone(line: string): boolean {
	return /^data: ?\[DONE\]\s*$/.test(line);
}

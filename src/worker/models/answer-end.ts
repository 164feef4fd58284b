import {endOfSource, type Piece, type Source} from '../http/source.ts';

/** What an event says of the end of its answer. */
export type EndFacts = {
	/** No event follows. */
	readonly isLast?: boolean;
	/** It says why the model stopped. Its usage may follow. */
	readonly hasFinish?: boolean;
	readonly hasUsage?: boolean;
};

/** How one wire ends its answers. `[DONE]` is the last event of every wire. */
export type EndRule = {
	/** Matches every event that says something of the end, and few others: only these are parsed. */
	readonly marker: RegExp;
	readonly read: (event: unknown) => EndFacts;
};

/**
The same bytes of an event stream, which end where the answer does: some servers leave the connection open. A server
that closes it by itself has a moment for that, so that the connection can be used again. What breaks off after the end
is no error.
*/
export function endedByAnswer(source: Source, rule: EndRule): Source {
	const finder = createEndFinder(rule);
	let pending: Promise<Piece> | undefined;
	let heardAt = 0;
	let isOver = false;

	/** The next piece, or the end of the source where none comes in time. */
	async function next(): Promise<Piece> {
		const patience = finder.patience();
		pending ??= source.read();
		const left = patience === undefined ? undefined : heardAt + patience - performance.now();
		const piece = await (left === undefined
			? pending
			: within(
					pending.catch(() => undefined),
					left,
				));
		pending = undefined;
		return piece ?? endOfSource;
	}

	/** Reads and drops what comes after the last event. */
	async function drain(): Promise<void> {
		while (!(await next()).done);
		void source.cancel().catch(() => {});
	}

	return {
		async read() {
			if (isOver) return endOfSource;
			const isEnding = finder.patience() !== undefined;
			const piece = await next();
			if (piece.done) {
				isOver = true;
				if (isEnding) void source.cancel().catch(() => {});
				return isEnding && finder.isBetweenLines() ? {done: false, value: blankLine} : piece;
			}
			const {heard, end} = finder.hear(piece.value);
			if (heard) heardAt = performance.now();
			if (end === undefined) return piece;
			isOver = true;
			await drain();
			return {done: false, value: Buffer.concat([piece.value.subarray(0, end), blankLine])};
		},
		cancel: async reason => source.cancel(reason),
	};
}

/** What the last event may lack. */
const blankLine = Buffer.from('\n\n');

/** Milliseconds in which more may come: after the last event only the end of the body, after a finish its usage. */
const patiences = {last: 100, finishAndUsage: 1000, finish: 5000} as const;

/** What the promise answers within so many milliseconds. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>(resolve => {
		timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
	});
	const found = await Promise.race([promise, late]);
	clearTimeout(timer);
	return found;
}

/** Whether an event came, and how many of the bytes belong to the answer when the last one did. */
type Heard = {readonly heard: boolean; readonly end?: number};

type EndFinder = {
	hear(bytes: Uint8Array): Heard;
	/** Whether the line before is at its end. */
	isBetweenLines(): boolean;
	/** Milliseconds to wait for more. Absent: the answer goes on. */
	patience(): number | undefined;
};

function createEndFinder({marker, read}: EndRule): EndFinder {
	let facts: EndFacts = {};
	/** The pieces of the line that is not at its end. */
	let open: string[] = [];

	function hearLine(line: string): boolean {
		if (!line.startsWith('data:')) return false;
		if (isDone(line)) facts = {...facts, isLast: true};
		else if (facts.hasFinish === true || marker.test(line))
			facts = {...facts, ...read(parsed(line.slice('data:'.length)))};
		return true;
	}

	/** Some servers end without a newline. A long line that ends as theirs is not looked at again and again. */
	function hearOpen(text: string, before: boolean): Heard {
		const isLast = text.endsWith(']') && open.length <= donePieces && isDone(open.join(''));
		return isLast ? {heard: hearLine(open.join('')), end: text.length} : {heard: before};
	}

	/** Hears whole lines from an offset on. Most say nothing of the end, and are not looked at one by one. */
	function hearLines(text: string, from: number, before: boolean): Heard {
		let heard = before;
		if (facts.hasFinish !== true && !text.includes('[DONE]', from) && !marker.test(text)) return {heard};
		dataLine.lastIndex = from;
		for (let found = dataLine.exec(text); found !== null; found = dataLine.exec(text)) {
			heard = hearLine(found[0]) || heard;
			if (facts.isLast === true) return {heard, end: dataLine.lastIndex};
		}
		return {heard};
	}

	return {
		hear(bytes) {
			const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
			const first = text.search(/[\r\n]/);
			open.push(first === -1 ? text : text.slice(0, first));
			if (first === -1) return hearOpen(text, false);
			const heard = hearLine(open.join(''));
			if (facts.isLast === true) return {heard, end: first};
			const last = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
			open = [text.slice(last + 1)];
			const lines = hearLines(text.slice(0, last), first, heard);
			return lines.end === undefined ? hearOpen(text, lines.heard) : lines;
		},
		isBetweenLines: () => open.every(text => text === ''),
		patience() {
			if (facts.isLast === true) return patiences.last;
			if (facts.hasFinish !== true) return undefined;
			return facts.hasUsage === true ? patiences.finishAndUsage : patiences.finish;
		},
	};
}

const dataLine = /^data:.*/gm;

/** `data: [DONE]`, byte by byte. */
const donePieces = 12;

function isDone(line: string): boolean {
	return /^data: ?\[DONE\]\s*$/.test(line);
}

/** Bytes as characters of one: names and marks of the wire are ASCII. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A field of a value that may be anything. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The elements of a value that may be anything. */
export function elementsOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

export function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null;
}

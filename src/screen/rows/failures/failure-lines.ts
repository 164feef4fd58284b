import {withoutSgr} from '../../spans/sgr-spans.ts';
import {
	anyMark,
	failurePatterns,
	failureWords,
	foreignFrame,
	noticeLine,
	progressLine,
	successLine,
	successWords,
	type FailurePattern,
} from './failure-patterns.ts';

/**
A part of a shortened output: a stored line, or a note that counts hidden lines. `hides` is the number of hidden lines
directly after the line, or at the position of the note.
*/
export type FailurePart =
	| {readonly line: string; readonly hides: number}
	| {readonly count: number; readonly hides: number};

/** The maximum number of lines that are shown. */
export const maxFailureLines = 12;

/**
Returns the lines of a failed command's output that say what failed, in order, with notes that count the hidden lines.
If a known program marks its failures, these are the first blocks that it marks, at most 12 lines. Otherwise these are
the first lines with words such as "error", two lines around each, and the last three lines. Notices, progress and blank
lines are left out. A short output is returned completely. Returns `undefined` if no line says that anything failed.
*/
export function failureLines(output: string, command: string): readonly FailurePart[] | undefined {
	const lines = output.split('\n');
	const {readers, ...scan} = scanLines(lines, command);
	const blocks = bestBlocks(readers);
	if (blocks.length === 0 && scan.hits.length === 0) return undefined;
	if (lines.length <= maxFailureLines && !scan.hasNotices) return lines.map(line => ({line, hides: 0}));
	return partsOf(lines, scan, linesToShow(scan, blocks));
}

/** A line that is shown: its index, and its block. */
type ShownLine = {readonly at: number; readonly block: object};

type Block = {readonly lines: number[]};

/**
The result of reading all lines. `kept` are the indexes of the lines that are not noise. `hits` are the positions in
`kept` of lines with words of failure.
*/
type Scan = {readonly kept: readonly number[]; readonly hits: readonly number[]; readonly hasNotices: boolean};

/**
The state of finding the blocks of one program. `block` is the block that may continue. `isOn` tells whether blocks may
begin.
*/
type Reader = {
	readonly pattern: FailurePattern;
	readonly isNamed: boolean;
	readonly blocks: Block[];
	isOn: boolean;
	block: Block | undefined;
};

/** A line of the output, by its index. */
type Place = {readonly lines: readonly string[]; readonly at: number};

function scanLines(lines: readonly string[], command: string): Scan & {readonly readers: readonly Reader[]} {
	const words = new Set(command.split(/[\s;&|()'"`/\\]+/u));
	const readers = failurePatterns.map((pattern): Reader => ({
		pattern,
		isNamed: pattern.names.some(name => words.has(name)),
		blocks: [],
		isOn: pattern.after === undefined,
		block: undefined,
	}));
	const kept: number[] = [];
	const hits: number[] = [];
	let hasNotices = false;
	for (const [at, line] of lines.entries()) {
		const text = plainLine(line);
		if (text === '') continue;
		const isHit = tellsFailure(text);
		if (noticeLine.test(text) || (!isHit && progressLine.test(text))) {
			hasNotices = true;
			continue;
		}
		if (isHit && hits.length < maxHits) hits.push(kept.length);
		kept.push(at);
		const isMarked = anyMark.test(text);
		for (const reader of readers) {
			if (isMarked) readMark(reader, text, {lines, at});
			else continueBlock(reader, text, at);
		}
	}
	return {readers, kept, hits, hasNotices};
}

function tellsFailure(text: string): boolean {
	return failureWords.test(text) && !successLine.test(text) && failureWords.test(text.replaceAll(successWords, ''));
}

/** Handles a line at which a block may begin. */
function readMark(reader: Reader, text: string, place: Place): void {
	const {pattern, blocks, block, isNamed} = reader;
	if (!reader.isOn) reader.isOn = pattern.after?.test(text) === true;
	else if (pattern.begins.test(text) || (isNamed && pattern.named?.test(text) === true)) {
		const begun = {lines: [...(block === undefined ? leadsOf(reader, place) : []), place.at]};
		reader.block = begun;
		if (blocks.length < maxFailureLines) blocks.push(begun);
	} else continueBlock(reader, text, place.at);
}

function continueBlock(reader: Reader, text: string, at: number): void {
	const {pattern, block} = reader;
	if (block === undefined) return;
	if (pattern.ends?.test(text) === true) reader.block = undefined;
	else if (block.lines.length < maxFailureLines && isShownIn(pattern, text)) block.lines.push(at);
}

/** Returns the lines directly before a block that belong to that block. */
function leadsOf({pattern: {leads}, blocks}: Reader, {lines, at}: Place): number[] {
	const last = blocks.at(-1)?.lines.at(-1) ?? -1;
	let from = at;
	while (at - from < maxLeads && from - 1 > last && leads?.test(plainLine(lines[from - 1] ?? '')) === true) from--;
	return Array.from({length: at - from}, (_, index) => from + index);
}

function isShownIn({only, noise}: FailurePattern, text: string): boolean {
	return only?.test(text) !== false && noise?.test(text) !== true && !foreignFrame.test(text);
}

/**
Returns the beginning of a line as the terminal would show it, without colours. Text before a carriage return is left
out, because the rest of the line overwrites it.
*/
function plainLine(line: string): string {
	const end = line.endsWith('\r') ? line.length - 1 : line.length;
	const start = end > 0 ? line.lastIndexOf('\r', end - 1) + 1 : 0;
	const written = line.slice(start, Math.min(end, start + 2 * readLength));
	return withoutSgr(written).slice(0, readLength).trimEnd();
}

/** Returns the blocks of the program that the command line names, or else of the first program that has blocks. */
function bestBlocks(readers: readonly Reader[]): readonly Block[] {
	const found = readers
		.map(({pattern, isNamed, blocks}) => ({
			isNamed,
			blocks: blocks.filter(({lines}) => pattern.needsMore !== true || lines.length > 1),
		}))
		.filter(({blocks}) => blocks.length > 0);
	return (found.find(({isNamed}) => isNamed) ?? found[0])?.blocks ?? [];
}

function linesToShow({kept, hits}: Scan, blocks: readonly Block[]): readonly ShownLine[] {
	if (kept.length <= maxFailureLines) return kept.map(at => ({at, block: kept}));
	if (blocks.length === 0) return aroundHits(kept, hits).map(at => ({at, block: {}}));
	const most = linesOfBlock(blocks);
	return blocks.flatMap(block => block.lines.slice(0, most).map(at => ({at, block}))).slice(0, maxFailureLines);
}

/** Returns the maximum number of lines for each block, so that all blocks fit. The result is at least four. */
function linesOfBlock(blocks: readonly Block[]): number {
	for (let most = maxFailureLines; most > minLines; most--) {
		const all = blocks.reduce((sum, {lines}) => sum + Math.min(lines.length, most), 0);
		if (all <= maxFailureLines) return most;
	}
	return minLines;
}

function aroundHits(kept: readonly number[], hits: readonly number[]): readonly number[] {
	const around = hits.flatMap(hit => kept.slice(Math.max(0, hit - context), hit + context + 1));
	return [...new Set([...[...new Set(around)].slice(0, maxHits), ...kept.slice(-lastLines)])];
}

/**
Returns the shown lines and the notes between them. A note counts the lines that were left out since the last note.
There is no note if only noise was left out, or only lines inside a block.
*/
function partsOf(lines: readonly string[], {kept}: Scan, shown: readonly ShownLine[]): readonly FailurePart[] {
	const parts: FailurePart[] = [];
	let [next, waiting] = [0, 0];
	for (const index of Array(shown.length + 1).keys()) {
		const [before, after] = [shown[index - 1], shown[index]];
		const from = before === undefined ? 0 : before.at + 1;
		const to = after?.at ?? lines.length;
		while ((kept[next] ?? to) < from) next++;
		const isNoise = (kept[next] ?? to) >= to;
		const isInside = before !== undefined && after !== undefined && (isNoise || before.block === after.block);
		const hides = to - from;
		waiting += hides;
		if (before !== undefined) parts.push({line: lines[before.at] ?? '', hides: isInside ? hides : 0});
		if (isInside || waiting === 0 || (hides === 0 && after !== undefined)) continue;
		parts.push({count: waiting, hides});
		waiting = 0;
	}
	return parts;
}

/** The minimum number of lines that are shown of each block. */
const minLines = 4;
/** The maximum number of lines before a block that may belong to the block. */
const maxLeads = 3;
/**
The maximum number of lines with words of failure and around them. The last lines of the output are added to this
number.
*/
const maxHits = 9;
const context = 2;
const lastLines = 3;
/** The maximum number of characters that are read of a line. */
const readLength = 400;

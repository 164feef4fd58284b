import {en} from '../../../language/index.ts';
import type {ToolOutput, ToolCallContext} from '../../../worker/index.ts';
import {createCapture, type Capture, type NoteOf} from '../processes/capture.ts';
import {exitText} from '../processes/capture.ts';
import type {KeptOutput, OutputFile} from '../processes/output-file.ts';
import type {CommandEnd} from '../processes/start-command.ts';
import type {ToolDetails} from '../../protocol.ts';
import {closed, onOneLine, quoteUntrusted} from '../../ground/text/one-line.ts';
import {withNotes, listOf} from './created-notes.ts';
import {readFileFacts} from '../../protocol/tool-definitions.ts';
import type {OpenCell, Outcome} from '../../permissions/confine/cells.ts';
import {plainPath} from '../../permissions/confine/effects.ts';
import type {LeftOut, LeftOutReason} from '../../permissions/confine/layer.ts';
import {sandboxHint} from '../../permissions/confine/sandbox-hint.ts';
import type {Network} from '../../permissions/confine/settings.ts';
import {confineTexts} from '../../permissions/confine/texts.ts';
import {readablePath} from '../../ground/files/byte-path.ts';

/** A command that has ended, and what is known about it. */
type EndedCommand = {
	readonly capture: Capture;
	readonly output: KeptOutput;
	readonly end: CommandEnd;
	readonly notes: readonly string[];
	/** What the record says about confinement and changes. */
	readonly facts: Facts;
};

type Facts = Pick<NonNullable<ToolDetails['command']>, 'confined' | 'unconfined' | 'effects' | 'discarded'>;

type ResultOptions = {
	/** The maximum size of a file that `read_file` reads. */
	readonly maxScanBytes: number;
	/** The function that is called when an output is kept, so that the model may read the folder. */
	readonly onKept: () => Promise<void>;
};

/** Returns the result of a command that has ended. An output that is cut or not text is kept in its file. */
export async function commandResult(
	{capture, output, end, notes, facts}: EndedCommand,
	options: ResultOptions,
): Promise<ToolOutput> {
	const {content, kept} = await answerOf(capture, output, end, options);
	if (kept) await options.onKept();
	return {
		summary: exitText(end),
		content: withNotes(content, notes),
		...(end.type === 'stopped' ? {isPartial: true} : {isError: end.type !== 'exit' || end.code !== 0}),
		details: detailsOf(end, await output.size(), {...(kept && {file: output.path}), ...facts}),
		...(!kept && {onCommitted: async () => output.remove()}),
	};
}

/** Returns a capture that leaves room in a result for the notes around the output. */
export function captureFor({path}: KeptOutput, maxOutputBytes: number): Capture {
	return createCapture(Math.max(maxOutputBytes - frameBytes - 2 * Buffer.byteLength(path), 256));
}

/** The number of bytes of a result for the notes around an output, not counting paths. */
const frameBytes = 512;

async function answerOf(
	capture: Capture,
	output: KeptOutput,
	end: CommandEnd,
	{maxScanBytes}: ResultOptions,
): Promise<{readonly content: string; readonly kept: boolean}> {
	const bytes = await output.size();
	const noteOf: NoteOf = ({dropped, total, line, content}) => {
		const isReadable = content === 'text' && bytes <= maxScanBytes;
		return isReadable
			? en`[...truncated, ${dropped} bytes of ${total} dropped here; all of it is in ${output.path}:
				${readFileFacts.name} with offset ${line} continues]`
			: en`[...truncated, ${dropped} bytes of ${total} dropped here; all of it is in ${output.path},
				to be looked into with a command]`;
	};
	const {text, truncated, content} = capture.end(noteOf);
	// If a command was stopped, the item that closes its call describes the end.
	const isStopped = end.type === 'stopped';
	const isPlain = end.type === 'exit' && end.code === 0 && !end.left && (text === '' || isClear(text));
	const ending = isStopped || isPlain ? '' : `[${exitText(end)}]`;
	if (content === 'binary') {
		const head = escaped(await output.read(0, binaryBytes));
		return {
			content:
				`${en`[binary output, ${bytes} bytes, in ${output.path}; it begins with]`}\n${head}\n${ending}`.trimEnd(),
			kept: true,
		};
	}
	const broken = content === 'broken_text' ? `${en`[bytes that are not UTF-8 are shown as �]`}\n` : '';
	const all = `${text === '' && !isStopped ? `${en`[no output]`}\n` : closed(text)}${broken}${ending}`;
	return {content: isPlain ? all.replace(/\n$/, '') : all, kept: truncated};
}

/** Tells whether an output needs no ending: it is not blank, and its last line cannot be taken for an ending. */
function isClear(text: string): boolean {
	return text.trim() !== '' && !/(?:^|\n)\[[^\n]*\]\n*$/.test(text.slice(-1000));
}

/** The number of bytes that a result shows of an output that is not text. */
const binaryBytes = 512;

/** Returns printable ASCII and newlines unchanged, and each other byte as `\xNN`. */
function escaped(bytes: Uint8Array): string {
	return Array.from(bytes, byte =>
		byte === 0x0a || (byte >= 0x20 && byte < 0x7f)
			? String.fromCharCode(byte)
			: String.raw`\x${byte.toString(16).padStart(2, '0')}`,
	).join('');
}

export function detailsOf(
	end: CommandEnd,
	bytes: number,
	more: Facts & {readonly file?: string; readonly background?: boolean},
): {readonly command: ToolDetails['command']} {
	return {
		command: {
			...(end.type === 'exit' && {exitCode: end.code}),
			...(end.type === 'signal' && {signal: end.name}),
			...(end.type === 'timeout' && {timedOut: true}),
			bytes,
			...more,
		},
	};
}

/** How a command runs again: with network, or without confinement. */
export type Again = 'network' | 'unconfined';

/** What the user is asked and told about a confined command. */
export type ConfineTalk = {
	/** Tells the user what a command created, or what was not taken over. */
	readonly onCreated: (sentence: string) => void;
	/** Asks the user whether changes to files that other programs run are kept. It is absent if nobody can answer. */
	readonly askProtected?: (call: ToolCallContext, paths: readonly string[]) => Promise<boolean>;
	/** Asks the user whether a command that confinement stopped runs again. It is absent if nobody can answer. */
	readonly askAgain?: (call: ToolCallContext, line: string, network: Network) => Promise<Again | undefined>;
};

/** What came of a confined command besides its output. */
export type Settled = {
	/** How it runs again. Nothing that it did counts. */
	readonly again?: Again | undefined;
	/** Absent without a cell, or if nothing changed before it was stopped. */
	readonly outcome?: Outcome | undefined;
	/** Sentences for the result. */
	readonly notes: readonly string[];
};

/**
Decides what becomes of a confined command that has ended: the user may let it run again with more rights, its changes
are taken over, or they are discarded because it was stopped.
*/
export async function settle(
	end: CommandEnd['type'],
	code: number | undefined,
	options: SettleOptions,
): Promise<Settled> {
	const {cell, network, call, confine, isAwaited} = options;
	if (end !== 'exit' && end !== 'signal') return discarded(cell);
	const line = code === 0 ? undefined : sandboxHint(await lastOf(options.output));
	const tried = cell?.hasTriedNetwork() === true ? confineTexts.triedNetwork : undefined;
	const why = line ?? tried;
	const again = why !== undefined && isAwaited ? await confine.askAgain?.(call, why, network) : undefined;
	if (call.signal.aborted) return discarded(cell);
	if (again !== undefined) {
		await cell?.discard();
		return {again, notes: []};
	}
	const cause = line === undefined ? (tried === undefined ? [] : [tried]) : [confineTexts.cause(line)];
	if (cell === undefined) return {notes: cause};
	const outcome = await cell.take(isAwaited && (await isProtectedTaken(cell, options)));
	const notes = notesOf(outcome);
	for (const note of notes) confine.onCreated(note);
	return {outcome, notes: [...cause, ...notes]};
}

/** Returns what the record says about the changes of a command. */
export function effectsOf({outcome}: Settled): Pick<NonNullable<ToolDetails['command']>, 'effects' | 'discarded'> {
	if (outcome === undefined) return {};
	if (outcome.type === 'failed' && outcome.isKept) return {};
	if (outcome.type !== 'taken') return {discarded: true};
	const {counts, isChanged, leftOut} = outcome;
	const isCounted = counts.added + counts.changed + counts.deleted > 0;
	return {
		effects: {...counts, ...(isChanged && !isCounted && {others: true})},
		...(!isChanged && leftOut.length > 0 && {discarded: true}),
	};
}

type SettleOptions = {
	/** Absent if the command works in the project itself. */
	readonly cell: OpenCell | undefined;
	readonly network: Network;
	readonly output: OutputFile;
	readonly call: ToolCallContext;
	readonly confine: ConfineTalk;
	/** Whether a user is waiting for the result, who can answer. */
	readonly isAwaited: boolean;
};

async function discarded(cell: OpenCell | undefined): Promise<Settled> {
	const hadEffects = cell?.hasEffects() === true;
	await cell?.discard();
	return hadEffects ? {outcome: {type: 'discarded'}, notes: [confineTexts.discarded]} : {notes: []};
}

async function isProtectedTaken(cell: OpenCell, {call, confine}: SettleOptions): Promise<boolean> {
	if (confine.askProtected === undefined) return false;
	const paths = await cell.protectedChanges();
	return (
		paths.length > 0 &&
		confine.askProtected(
			call,
			paths.map(path => onOneLine(readablePath(path))),
		)
	);
}

/** Returns the end of an output, in which the reason of a failure usually is. */
async function lastOf(output: OutputFile): Promise<string> {
	const size = await output.size();
	return (await output.read(Math.max(0, size - lastBytes), lastBytes)).toString();
}

const lastBytes = 64 * 1024;

function notesOf(outcome: Outcome): readonly string[] {
	if (outcome.type === 'discarded') return [confineTexts.discarded];
	if (outcome.type === 'too_many') return [confineTexts.tooMany];
	if (outcome.type === 'failed')
		return [outcome.isKept ? confineTexts.takeLater(outcome.code) : confineTexts.notTaken(outcome.code)];
	const {leftOut, notes} = outcome;
	return [...(['conflict', 'protected', 'git', 'special'] as const).flatMap(why => noteOf(why, leftOut)), ...notes];
}

function noteOf(why: LeftOutReason, leftOut: readonly LeftOut[]): readonly string[] {
	const paths = new Set(leftOut.filter(one => one.why === why).map(({path}) => path));
	return paths.size === 0 ? [] : [confineTexts.leftOut[why](listOf([...paths].map(nameOf)))];
}

function nameOf(path: string): string {
	return quoteUntrusted(plainPath(path));
}

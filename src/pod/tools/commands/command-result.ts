import {en} from '../../../language/index.ts';
import type {ToolOutput} from '../../../worker/index.ts';
import {createCapture, exitText, type Capture, type NoteOf} from '../processes/capture.ts';
import type {KeptOutput} from '../processes/output-file.ts';
import type {CommandEnd} from '../processes/start-command.ts';
import type {ToolDetails} from '../../protocol.ts';
import {closed} from '../../ground/text/one-line.ts';
import {withNotes} from './created-notes.ts';
import {readFileFacts} from '../../protocol/tool-definitions.ts';

/** A command that has ended, with the facts for its result. */
type EndedCommand = {
	readonly capture: Capture;
	readonly output: KeptOutput;
	readonly end: CommandEnd;
	readonly notes: readonly string[];
	/** The facts about confinement and changes for the record. */
	readonly facts: Facts;
};

type Facts = Pick<NonNullable<ToolDetails['command']>, 'confined' | 'unconfined' | 'effects' | 'discarded'>;

type ResultOptions = {
	/** The maximum size of a file that `read_file` reads. */
	readonly maxScanBytes: number;
	/** The function that is called when an output file is kept. It lets the model read the folder. */
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

/** The number of bytes that a result reserves for the notes around an output, not counting paths. */
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
			: en`[...truncated, ${dropped} bytes of ${total} dropped here; all of it is in ${output.path}.
				Read it with a command]`;
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

/** Tells whether an output needs no ending: it is not blank, and its last line cannot be mistaken for an ending. */
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

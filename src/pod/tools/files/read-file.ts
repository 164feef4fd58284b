import {en, enCount, t} from '../../../language/index.ts';
import {z} from 'zod';
import {
	cutText,
	defineTool,
	type Tool,
	type ToolCallContext,
	type ToolMoved,
	type ToolOutput,
} from '../../../worker/index.ts';
import {readFileLines} from '../../config/limits.ts';
import type {ToolDetails} from '../../protocol.ts';
import {resolveTarget} from '../../scope/locate.ts';
import {readTextChecked, secretAt, type ReadText} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {openFile} from '../../scope/scoped-fs.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {readFileFacts} from '../../protocol/tool-definitions.ts';
import {sentenceFor, failureOutput} from './failures.ts';

type ReadFileOptions = {readonly scope: Scope; readonly maxOutputBytes: number; readonly maxScanBytes: number};

/**
Creates the tool that reads a text file. The result of a whole file is its lines and nothing else. The first line of a
partial result says which part it is: `[lines 1-40 of 400]`. The details of the result record which contents the model
has read. A file that looks like a secret is read only after a confirmation, and only at the confirmed path.
*/
export function readFileTool(options: ReadFileOptions): Tool {
	/** The confirmed real paths, by the arguments of their calls. */
	const confirmed = new WeakMap<object, string>();
	const texts = readFileFacts.arguments;
	return defineTool({
		...readFileFacts,
		input: z.object({
			path: z.string().min(1),
			offset: z.number().int().min(1).optional().describe(texts.offset),
			limit: z.number().int().min(1).max(readFileLines).optional().describe(texts.limit),
			numbers: z.boolean().optional(),
		}),
		target: async ({path}) => resolveTarget(options.scope, path),
		preview: async ({path}) => ({title: t`Read a file`, detail: path, shows: 'text'}),
		execute: async (args, call) => readLines(args, call, {...options, confirmed: confirmed.get(args) ?? false}),
		async confirmation(args, {target}) {
			if (target === undefined || (await secretAt(options.scope, args.path)) !== target) return undefined;
			return {
				title: t`Read a file that looks like a secret?`,
				detail: args.path,
				confirm: () => confirmed.set(args, target),
			};
		},
	});
}

type Arguments = {
	readonly path: string;
	readonly offset?: number | undefined;
	readonly limit?: number | undefined;
	readonly numbers?: boolean | undefined;
};

type Reading = ReadFileOptions & {readonly confirmed: string | false};

async function readLines(args: Arguments, call: ToolCallContext, options: Reading): Promise<ToolOutput | ToolMoved> {
	const {path, offset = 1, limit = readFileLines, numbers = false} = args;
	const {scope, maxOutputBytes, maxScanBytes, confirmed} = options;
	const range = {first: offset, last: offset + limit - 1};
	const wanted = {range, maxBytes: maxOutputBytes + frameBytes, maxScanBytes, confirmed, signal: call.signal};
	const read = await readTextChecked(scope, path, wanted, ({real}) => (real === call.target ? undefined : 'moved'));
	const asked = {first: offset, last: args.limit === undefined ? Infinity : range.last};
	if (read.ok) return outputOf(read, asked, {numbers, maxOutputBytes});
	if (read.reason === 'not_admitted' || (await resolveTarget(scope, path)) !== call.target) return 'moved';
	if (read.reason === 'aborted') call.signal.throwIfAborted();
	const name = onOneLine(path);
	if (read.reason === 'binary') return (await media(scope, path, call.target)) ?? failureOutput('binary', name);
	if (read.reason !== 'bad_range') return failureOutput(read.reason, name);
	return errorOutput(`${sentenceFor('bad_range', name)} ${en`It has ${enCount(read.totalLines ?? 0, 'line')}.`}`);
}

async function media(scope: Scope, path: string, target: string): Promise<ToolOutput | ToolMoved | undefined> {
	const opened = await openFile(scope, path);
	if (!opened.ok) return undefined;
	try {
		if (opened.real !== target) return 'moved';
		const {buffer, bytesRead} = await opened.handle.read(Buffer.alloc(mediaHeadBytes), 0, mediaHeadBytes, 0);
		const type = mediaType(buffer.subarray(0, bytesRead));
		return type === undefined
			? undefined
			: errorOutput(
					en`${onOneLine(path)}: it is ${type} of ${enCount(opened.stats.size, 'byte')}.
						It contains no text that can be read.`,
				);
	} finally {
		await opened.handle.close();
	}
}

/** The number of bytes that a result reserves for its header and notes. */
const frameBytes = 512;

type Range = {readonly first: number; readonly last: number};

type Form = {readonly numbers: boolean; readonly maxOutputBytes: number};

function outputOf(read: ReadText, {first, last: askedLast}: Range, form: Form): ToolOutput {
	const known = {path: read.path, real: read.real, sha256: read.sha256, totalLines: read.totalLines};
	if (read.totalBytes === 0 || read.totalLines === 0)
		return {
			summary: en`empty file`,
			content: `[${en`empty file`}]`,
			details: {read: {...known, first: 1, last: 0, whole: true}},
		};
	const {kept, cutNote} = fitting(read.body.split('\n'), first, form);
	const last = first + kept.length - 1;
	const isWhole = first === 1 && last === read.totalLines && cutNote === undefined;
	const lines = en`lines ${first}-${last} of ${read.totalLines}`;
	const isShort = last < Math.min(read.totalLines, askedLast);
	return {
		summary: isWhole ? enCount(read.totalLines, 'line') : lines,
		content: [
			...(isWhole && !looksLikeNotes(kept) ? [] : [`[${lines}]`]),
			...kept,
			...(cutNote === undefined ? [] : [cutNote]),
			...(isShort ? [en`[...truncated: continue with offset ${last + 1}]`] : []),
		].join('\n'),
		// A line that was cut does not count as read.
		details: {
			read: {...known, first, last: cutNote === undefined ? last : first - 1, whole: isWhole},
		} satisfies ToolDetails,
	};
}

/** Tells whether the lines of a whole file could be mistaken for a note of this tool or for an empty result. */
function looksLikeNotes(lines: readonly string[]): boolean {
	const isNote = (line: string | undefined) => /^\[(?:lines \d|empty file|\.\.\.truncated)/.test(line ?? '');
	return lines.every(line => line === '') || isNote(lines[0]) || isNote(lines.at(-1));
}

/** Returns the lines that fit into a result, and a note if even the first line alone does not fit. */
function fitting(
	lines: readonly string[],
	first: number,
	{numbers, maxOutputBytes}: Form,
): {readonly kept: readonly string[]; readonly cutNote?: string} {
	const room = Math.max(maxOutputBytes - frameBytes, 256);
	const rows = numbers ? lines.map((line, index) => `${first + index}\t${line}`) : lines;
	let bytes = 0;
	const end = rows.findIndex(row => (bytes += Buffer.byteLength(row) + 1) > room);
	if (end !== 0) return {kept: end === -1 ? rows : rows.slice(0, end)};
	const cutNote = en`[...truncated, line ${first} is longer than ${room} bytes and was cut]`;
	return {kept: rows.slice(0, 1).map(row => cutText(row, room).text), cutNote};
}

/**
Returns the name of the media type that the first bytes of a file show, such as `a PNG image`. Knows only types that a
user views instead of reading.
*/
function mediaType(head: Uint8Array): string | undefined {
	const text = Buffer.from(head).toString('latin1');
	return signatures.find(({magic}) => magic.test(text))?.name;
}

/** The number of first bytes that `mediaType` needs. */
const mediaHeadBytes = 16;

const signatures: ReadonlyArray<{readonly magic: RegExp; readonly name: string}> = [
	{magic: /^\u0089PNG\r\n\u001A\n/, name: en`a PNG image`},
	{magic: /^\u00FF\u00D8\u00FF/, name: en`a JPEG image`},
	{magic: /^GIF8[79]a/, name: en`a GIF image`},
	{magic: /^RIFF[^]{4}WEBP/, name: en`a WebP image`},
	{magic: /^[^]{4}ftyp(?:avif|avis)/, name: en`an AVIF image`},
	{magic: /^[^]{4}ftyp(?:heic|heix|mif1)/, name: en`a HEIC image`},
	{magic: /^BM[^]{4}\0{4}/, name: en`a BMP image`},
	{magic: /^\0\0\u0001\0/, name: en`an icon`},
	{magic: /^(?:II\*\0|MM\0\*)/, name: en`a TIFF image`},
	{magic: /^%PDF-/, name: en`a PDF document`},
];

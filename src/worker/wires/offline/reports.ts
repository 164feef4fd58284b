import {elementsOf, fieldOf} from '../values.ts';
import {bold, code, cut, fenced, listed, plural} from './markdown.ts';
import type {Attachment, Step} from './turn.ts';

/** This file contains the guide's reports of results and attachments: only facts, with counts and shortened texts. */

export function reportStep({name, args, content, isError}: Step): string {
	const subject = code(String(args['pattern'] ?? args['command'] ?? args['path']));
	if (!isError && name === 'glob') return reportList(subject, content);
	if (!isError && name === 'grep') return reportSearch(subject, content);
	if (!isError && name === 'read_file') return reportRead(String(args['path']), content);
	if (!isError && name === 'edit_file' && !content.startsWith('[Interrupted'))
		return reportEdit(subject, args['edits']);
	const title = name === 'bash' ? subject : `${code(name)} on ${subject}`;
	return quote(isError ? `${title} failed` : title, content);
}

export function reportAttachment({kind, name, first, body}: Attachment): string {
	const {entries, notes} = linesOf(body);
	if (kind === 'Dir')
		return listed(`${bold(name)} has ${plural(entries.length, 'entry', 'entries')}:`, entries.map(code), notes);
	if (kind === 'Workflow') return listed(`**/${name}** asks for this:`, entries.map(code), [needsJudgement]);
	const text = body.replace(/\n\[\.\.\.truncated, [^\n]*\]$/, '').replace(/\n$/, '');
	return describe(name, text, first, `${plural(text.split('\n').length, 'line')}, as attached`);
}

const needsJudgement =
	'That requires judgement, which rules do not have. A connected model would do it with exactly this context.';

/** Returns a report of a program's notification. The guide does not act on it. */
export function reportNotification(text: string): string {
	const [title = '', ...rest] = text.trimEnd().split('\n');
	const output = rest.length === 0 ? '' : `\n${fenced(shortened(rest))}`;
	return `Notification: ${code(cut(title, 200))}${output}`;
}

/** Returns the lines of a file from a result of `read_file`, and the number of the first line. */
export function numberedText(content: string): {readonly text: string; readonly first: number} {
	const lines = Array.from(content.matchAll(/(?<=^|\n) *(\d+)\t([^\n]*)/g));
	return {text: lines.map(([, , text]) => text).join('\n'), first: Number(lines[0]?.[1] ?? 1)};
}

const maxLines = 20;

function reportList(subject: string, content: string): string {
	const {entries, notes} = linesOf(content);
	if (subject === code('**/*') && entries.length > maxLines) return reportFolders(entries, notes);
	const found = `${plural(entries.length, 'path')} for ${subject}:`;
	return listed(entries.length === 0 ? `Nothing matches ${subject}.` : found, entries.map(code), notes);
}

/**
Reports a long list of all files: each folder with its number of files, then the files beside these folders. If the list
was truncated, its notes contain the numbers.
*/
function reportFolders(entries: readonly string[], notes: readonly string[]): string {
	const noted = notes.flatMap(note => {
		const {folder, count} = /^\[(?<folder>.+\/): (?<count>\d+) files?\]$/.exec(note)?.groups ?? {};
		return folder === undefined ? [] : [[folder, Number(count)] as const];
	});
	const [first] = noted;
	const parts = entries.map(entry => entry.split('/'));
	const depth = first === undefined ? commonDepth(parts) : first[0].split('/').length - 2;
	const folders = new Map(noted);
	if (first === undefined)
		for (const part of parts.filter(({length}) => length > depth + 1)) {
			const folder = `${part.slice(0, depth + 1).join('/')}/`;
			folders.set(folder, (folders.get(folder) ?? 0) + 1);
		}
	const files = entries.filter((_, index) => parts[index]?.length === depth + 1);
	const [, least = '', all] = /, \d+ of (at least )?(\d+) files?/.exec(notes.join('\n')) ?? [];
	const total = Number(all ?? entries.length);
	const others = total - files.length - Array.from(folders.values()).reduce((sum, count) => sum + count, 0);
	return listed(
		`${least}${plural(total, 'file')} here:`,
		[
			...Array.from(folders, ([folder, count]) => `${code(folder)} ${plural(count, 'file')}`),
			...files.map(code),
			...(others > 0 ? [plural(others, 'other file')] : []),
		],
		[],
		60,
	);
}

/** Returns the number of folders that contain all of these paths. */
function commonDepth(parts: ReadonlyArray<readonly string[]>): number {
	const [first = []] = parts;
	let depth = 0;
	while (parts.every(part => part.length > depth + 1 && part[depth] === first[depth])) depth++;
	return depth;
}

function reportSearch(subject: string, content: string): string {
	const {entries, notes} = linesOf(content);
	const hits = entries.map(entry => {
		const {path = entry, line = '', text} = /^(?<path>.+?)(?<line>:\d+):(?<text>.*)$/.exec(entry)?.groups ?? {};
		return {path, row: code(path + line) + (text === undefined ? '' : ` ${code(cut(text.trim(), 100))}`)};
	});
	const files = plural(new Set(hits.map(({path}) => path)).size, 'file');
	const found = `${plural(hits.length, 'match', 'matches')} of ${subject} in ${files}:`;
	return listed(
		hits.length === 0 ? `No line matches ${subject}.` : found,
		hits.map(({row}) => row),
		notes,
		10,
	);
}

/** Reports an edit without its diff, which the tool's result already contains. */
function reportEdit(subject: string, edits: unknown): string {
	const replaced = elementsOf(edits).map(
		edit =>
			`Replaced ${code(String(fieldOf(edit, 'old')))} with ${code(String(fieldOf(edit, 'new')))} in ${subject}.`,
	);
	return replaced.join('\n');
}

function reportRead(path: string, content: string): string {
	const {text, first} = numberedText(content);
	const count = text.split('\n').length;
	if (text === '') return quote(code(path), content);
	return [
		describe(path, text, first, `lines ${first}-${first + count - 1}`),
		...(count <= maxLines ? [fenced(text)] : []),
		...linesOf(content).notes.slice(1),
	].join('\n');
}

const keywords = 'function|class|type|interface|enum|def|func|fn|struct|trait|(?<=export +)const';
const modifiers = 'export|default|declare|abstract|async|public|pub';
const definition = new RegExp(`^(?:(?:${modifiers}) +)*(?<what>(?:${keywords}) +)(?<name>[\\w$]+)`);
const heading = /^#{1,4} +(?<name>.+)$/;

/** Describes a file with its first words and the names that it defines, or with its first words and its headings. */
function describe(path: string, text: string, first: number, lines: string): string {
	const isProse = /(?:\.(?:md|markdown|txt)|(?:^|\/)[^./]+)$/i.test(path);
	const cutRows = text.split('\n').map(row => row.slice(0, 400));
	const rows = isProse ? withoutCode(cutRows) : cutRows;
	const found = rows.flatMap((row, index) => {
		const {what = '', name} = (isProse ? heading : definition).exec(row)?.groups ?? {};
		return name === undefined ? [] : [`line ${first + index}: ${what}${code(name)}`];
	});
	const about = firstWords(rows, isProse);
	return listed(`${bold(path)} (${lines})${about === '' ? '' : `: ${about}`}`, found);
}

/**
Returns the rows with empty rows in place of code blocks, because a row in a code block is not a heading or a sentence.
*/
function withoutCode(rows: readonly string[]): readonly string[] {
	let isCode = false;
	return rows.map(row => {
		const isFence = /^ {0,3}(?:```|~~~)/.test(row);
		if (isFence) isCode = !isCode;
		return isFence || isCode ? '' : row;
	});
}

/** Returns the first sentence of a text, or of the first line of the comment at the beginning of a program. */
function firstWords(rows: readonly string[], isProse: boolean): string {
	const begin = rows.findIndex(row => (isProse ? /^[\p{L}\p{N}*_"“(]/u : /^(?!#!).*\p{L}/u).test(row));
	const isComment = rows
		.slice(Math.max(begin - 1, 0), begin + 1)
		.some(row => /^\s*(?:\/\*|\/\/|#(?!!)|--|""")/.test(row));
	if (begin < 0 || !(isProse || isComment)) return '';
	const end = isProse ? rows.findIndex((row, index) => index > begin && row.trim() === '') : begin + 1;
	const paragraph = rows.slice(begin, end < 0 ? undefined : end).join(' ');
	const words = paragraph.replace(/\s*(?:\*\/|""")\s*$/, '').replace(isProse ? '' : /^[^\p{L}\p{N}]+/u, '');
	return cut(/^.*?[.!?。](?=\s|$)/u.exec(words)?.[0] ?? words, 140);
}

/** Quotes a result, shortened if it is long. */
function quote(title: string, content: string): string {
	const lines = content.trimEnd().split('\n');
	return lines.length === 1 ? `${title}: ${cut(lines.join(''), 300)}` : `${title}:\n${fenced(shortened(lines))}`;
}

function shortened(lines: readonly string[]): string {
	const omitted = lines.length - maxLines;
	const kept = omitted <= 0 ? lines : [...lines.slice(0, 4), `… ${omitted} lines …`, ...lines.slice(4 - maxLines)];
	return kept.map(line => cut(line, 200)).join('\n');
}

/** Splits a result into its lines and its notes in brackets. */
function linesOf(content: string): {readonly entries: readonly string[]; readonly notes: readonly string[]} {
	const lines = content
		.split('\n')
		.filter(line => line.trim() !== '' && !/^(?:--|No (?:matches|files)\b.*)$/i.test(line));
	const isNote = (line: string) => /^\[.*\]$/.test(line);
	return {
		entries: lines.filter(line => !isNote(line)),
		notes: lines.filter(isNote).map(note => cut(note, 240)),
	};
}

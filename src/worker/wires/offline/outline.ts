import {firstGroups, group} from './patterns.ts';

/** The names that a file defines, and the first sentence of the file. `line` counts from 1. */
export type Outline = {readonly lines: number; readonly names: readonly Named[]; readonly about?: string};
export type Named = {readonly name: string; readonly what: string; readonly line: number; readonly note?: string};

/**
Returns the names that a text defines and the first sentence of its first comment, by the rules of its file type.
`firstLine` is the number of the text's first line.
*/
export function outlineOf(path: string, text: string, firstLine = 1): Outline {
	const lines = text
		.replace(/\n$/, '')
		.split('\n')
		.map(line => line.slice(0, maxLine));
	const kind = kindOf(path);
	const names = kind === undefined ? [] : namesOf(lines, kind, firstLine);
	const about = firstSentence(leadingText(lines, kind));
	return {lines: text === '' ? 0 : lines.length, names, ...(about === '' ? {} : {about})};
}

/** Returns the first sentence of a text, on one line and at most `max` code points long. */
function firstSentence(text: string, max = 140): string {
	const flat = text.replaceAll(/\s+/g, ' ').trim();
	const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(flat)?.[0] ?? flat;
	const points = Array.from(sentence);
	const beginning = points.slice(0, max - 1).join('');
	return points.length <= max ? sentence : `${beginning.trimEnd()}…`;
}

const maxLine = 400;

type Kind = {readonly extensions: string; readonly names: readonly RegExp[]; readonly comment?: RegExp};

const slashes = /^\s*(?:\/\*+|\*\/?|\/\/+!?)\s?/;
const hashes = /^\s*#+!?\s?/;

/**
In each pattern, the group `what` is the keyword and `name` is the name. The first pattern that matches a line applies.
*/
const fileKinds: readonly Kind[] = [
	{
		extensions: 'ts tsx js jsx mjs cjs mts cts',
		names: [
			exact(
				String.raw`^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?`,
				String.raw`(?<what>function|class|const|let|type|interface|enum)\*?\s+(?<name>[\w$]+)`,
			),
			/^(?:async\s+)?(?<what>function|class|interface|enum)\*?\s+(?<name>[\w$]+)/,
		],
		comment: slashes,
	},
	{
		extensions: 'py pyi',
		names: [/^(?:async\s+)?(?<what>def|class)\s+(?<name>\w+)/],
		comment: /^\s*(?:#+|"""|''')\s?/,
	},
	{
		extensions: 'go',
		names: [/^(?<what>func)\s+(?:\([^)]*\)\s*)?(?<name>\w+)/, /^(?<what>type|const|var)\s+(?<name>\w+)/],
		comment: slashes,
	},
	{
		extensions: 'rs',
		names: [
			exact(
				String.raw`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*`,
				String.raw`(?<what>fn|struct|enum|trait|mod|type|macro_rules!)\s+(?<name>\w+)`,
			),
			/^(?<what>impl)(?:<[^>]*>)?\s+(?<name>[\w: ]+)/,
		],
		comment: slashes,
	},
	{
		extensions: 'java kt kts cs scala swift php dart',
		names: [
			exact(
				String.raw`^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|`,
				String.raw`override)\s+)*(?<what>class|interface|enum|record|struct|object|trait|protocol|fun|func|`,
				String.raw`function|def)\s+(?<name>\w+)`,
			),
		],
		comment: slashes,
	},
	{
		extensions: 'c h cc cpp hpp cxx',
		names: [
			/^(?<what>struct|class|enum|namespace|#define)\s+(?<name>\w+)/,
			/^[\w:<>*&\s]+?[\s*&](?<name>\w+)\([^;]*$/,
		],
		comment: slashes,
	},
	{extensions: 'rb', names: [/^\s*(?<what>def|class|module)\s+(?<name>[\w.?!:]+)/], comment: hashes},
	{extensions: 'sh bash zsh', names: [/^(?:function\s+)?(?<name>[\w-]+)\s*\(\)/], comment: hashes},
	{extensions: 'md mdx markdown', names: [/^(?<what>#{1,4})\s+(?<name>.+?)\s*#*$/]},
	{extensions: 'json jsonc', names: [/^(?: {2}| {4}|\t)"(?<name>[^"]+)":/]},
	{extensions: 'toml ini cfg', names: [/^\[+(?<name>[^\]]+)\]+/], comment: hashes},
	{extensions: 'yml yaml', names: [/^(?<name>[\w.-]+):/], comment: hashes},
	{extensions: 'css scss less', names: [/^(?<name>[.#@:\w][^{]*?)\s*\{/], comment: slashes},
	{
		extensions: 'sql',
		names: [/^\s*(?<what>create\s+(?:table|view|index|function))\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."]+)/i],
		comment: /^\s*--\s?/,
	},
];

/** Builds a regular expression from several parts. */
function exact(...parts: readonly string[]): RegExp {
	return new RegExp(parts.join(''));
}

function kindOf(path: string): Kind | undefined {
	const extension = /\.(?<extension>[^./]+)$/.exec(path)?.groups?.['extension']?.toLowerCase();
	return fileKinds.find(({extensions}) => extension !== undefined && extensions.split(' ').includes(extension));
}

function namesOf(lines: readonly string[], kind: Kind, firstLine: number): readonly Named[] {
	let fenced = false;
	return lines.flatMap((line, index) => {
		if (kind.comment === undefined && /^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
		const groups = fenced ? undefined : firstGroups(kind.names, line);
		if (groups === undefined) return [];
		const note = kind.comment === undefined ? '' : firstSentence(commentAbove(lines, index, kind.comment), 110);
		return [
			{
				name: group(groups, 'name').trim(),
				what: group(groups, 'what'),
				line: firstLine + index,
				...(note === '' ? {} : {note}),
			},
		];
	});
}

/** Returns the comment that ends on the line before `index`, at most its last 30 lines. */
function commentAbove(lines: readonly string[], index: number, comment: RegExp): string {
	const end = index - 1;
	if (end < 0) return '';
	let begin = end;
	const line = (index: number) => lines[index] ?? '';
	if (/\*\/\s*$/.test(line(end))) {
		while (begin > 0 && end - begin < maxComment && !/^\s*\/\*/.test(line(begin))) begin--;
	} else {
		while (begin >= 0 && end - begin < maxComment && comment.test(line(begin))) begin--;
		begin++;
	}
	return plain(lines.slice(begin, end + 1), comment);
}

/**
Returns the first comment of a file. For a text without comments, returns its first paragraph that is not a heading.
*/
function leadingText(lines: readonly string[], kind: Kind | undefined): string {
	const begin = lines.findIndex(line => line.trim() !== '' && !line.startsWith('#!'));
	if (begin < 0) return '';
	return kind?.comment === undefined
		? firstParagraph(lines.slice(begin), kind)
		: firstComment(lines.slice(begin), kind.comment);
}

function firstParagraph(lines: readonly string[], kind: Kind | undefined): string {
	const prose = lines.findIndex(line => /^[\p{L}\p{N}*_"“(]/u.test(line));
	if (prose < 0 || kind?.extensions.startsWith('json') === true) return '';
	const paragraph = lines.slice(prose);
	const end = paragraph.findIndex(line => line.trim() === '');
	return paragraph.slice(0, end < 0 ? maxParagraph : Math.min(end, maxParagraph)).join(' ');
}

/** Returns the comment that begins on the first line, at most its first 30 lines. */
function firstComment(lines: readonly string[], comment: RegExp): string {
	const [first = ''] = lines;
	if (!comment.test(first)) return '';
	if (/^\s*\/\*|^\s*(?:"""|''')/.test(first)) {
		const end = lines.findIndex((line, index) => (index > 0 || line.trim().length > 5) && blockEnd.test(line));
		return plain(lines.slice(0, end < 0 ? maxComment : Math.min(end, maxComment) + 1), comment);
	}
	const after = lines.findIndex(line => !comment.test(line));
	return plain(lines.slice(0, after < 0 ? maxComment : Math.min(after, maxComment)), comment);
}

const blockEnd = /\*\/|"""\s*$|'''\s*$/;
const maxComment = 30;
const maxParagraph = 20;

function plain(lines: readonly string[], comment: RegExp): string {
	return lines.map(line => line.replace(comment, '').replace(/\s*(?:\*\/|"""|''')\s*$/, '')).join(' ');
}

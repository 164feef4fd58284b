/** What the lines of a file say of themselves. `line` counts from 1. */
export type Outline = {readonly lines: number; readonly names: readonly Named[]; readonly about?: string};
export type Named = {readonly name: string; readonly what: string; readonly line: number; readonly note?: string};

/**
The names that a text defines and the first sentence of its first comment, found by the file's kind. `firstLine` is the
number of its first line.
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

/** The first sentence of a text, on one line and at most `max` code points long. */
export function firstSentence(text: string, max = 140): string {
	const flat = text.replaceAll(/\s+/g, ' ').trim();
	const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(flat)?.[0] ?? flat;
	const points = Array.from(sentence);
	return points.length <= max
		? sentence
		: `${points
				.slice(0, max - 1)
				.join('')
				.trimEnd()}…`;
}

const maxLine = 400;

type Kind = {readonly extensions: string; readonly names: readonly RegExp[]; readonly comment?: RegExp};

const slashes = /^\s*(?:\/\*+|\*\/?|\/\/+!?)\s?/;
const hashes = /^\s*#+!?\s?/;

/** Group `what` is the keyword, `name` the name. Read top to bottom: the first pattern that fits a line wins. */
const fileKinds: readonly Kind[] = [
	{
		extensions: 'ts tsx js jsx mjs cjs mts cts',
		names: [
			/^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?<what>function|class|const|let|type|interface|enum)\*?\s+(?<name>[\w$]+)/,
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
			/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?<what>fn|struct|enum|trait|mod|type|macro_rules!)\s+(?<name>\w+)/,
			/^(?<what>impl)(?:<[^>]*>)?\s+(?<name>[\w: ]+)/,
		],
		comment: slashes,
	},
	{
		extensions: 'java kt kts cs scala swift php dart',
		names: [
			/^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|override)\s+)*(?<what>class|interface|enum|record|struct|object|trait|protocol|fun|func|function|def)\s+(?<name>\w+)/,
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
				name: groups['name']!.trim(),
				what: groups['what'] ?? '',
				line: firstLine + index,
				...(note === '' ? {} : {note}),
			},
		];
	});
}

function firstGroups(
	patterns: readonly RegExp[],
	line: string,
): Readonly<Record<string, string | undefined>> | undefined {
	for (const pattern of patterns) {
		const groups = pattern.exec(line)?.groups;
		if (groups !== undefined) return groups;
	}
	return undefined;
}

/** The comment that ends on the line before `index`; at most 30 lines of it. */
function commentAbove(lines: readonly string[], index: number, comment: RegExp): string {
	const end = index - 1;
	if (end < 0) return '';
	let begin = end;
	if (/\*\/\s*$/.test(lines[end]!)) {
		while (begin > 0 && end - begin < 30 && !/^\s*\/\*/.test(lines[begin]!)) begin--;
	} else {
		while (begin >= 0 && end - begin < 30 && comment.test(lines[begin]!)) begin--;
		begin++;
	}
	return plain(lines.slice(begin, end + 1), comment);
}

/** The comment that a file begins with; in a text without comments its first paragraph that is no heading. */
function leadingText(lines: readonly string[], kind: Kind | undefined): string {
	const begin = lines.findIndex(line => line.trim() !== '' && !line.startsWith('#!'));
	if (begin < 0) return '';
	if (kind?.comment === undefined) {
		const prose = lines.slice(begin).findIndex(line => /^[\p{L}\p{N}*_"“(]/u.test(line));
		return prose < 0 || kind?.extensions.startsWith('json') ? '' : untilBlank(lines.slice(begin + prose)).join(' ');
	}
	const first = lines[begin]!;
	if (!kind.comment.test(first)) return '';
	if (!/^\s*\/\*|^\s*(?:"""|''')/.test(first)) {
		const after = lines.findIndex((line, index) => index >= begin && !kind.comment!.test(line));
		return plain(lines.slice(begin, after < 0 ? begin + 30 : Math.min(after, begin + 30)), kind.comment);
	}
	const end = lines.findIndex(
		(line, index) =>
			index >= begin && (index > begin || line.trim().length > 5) && /\*\/|"""\s*$|'''\s*$/.test(line),
	);
	return plain(lines.slice(begin, end < 0 ? begin + 30 : Math.min(end, begin + 30) + 1), kind.comment);
}

function untilBlank(lines: readonly string[]): readonly string[] {
	const end = lines.findIndex(line => line.trim() === '');
	return lines.slice(0, end < 0 ? 20 : Math.min(end, 20));
}

function plain(lines: readonly string[], comment: RegExp): string {
	return lines.map(line => line.replace(comment, '').replace(/\s*(?:\*\/|"""|''')\s*$/, '')).join(' ');
}

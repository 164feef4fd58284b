import {code} from './markdown.ts';
import {numberedText} from './reports.ts';
import type {Attachment, Step} from './turn.ts';

export type Call = {readonly name: string; readonly args: Readonly<Record<string, unknown>>};

/** A simple request, and the calls that the guide makes together for it. */
export type PlainRequest = {readonly row: Row; readonly parts: Parts; readonly calls: readonly Call[]};

/**
Returns what a message requests. A message is a request only if it is one short line that matches a pattern completely,
so that pasted text requests nothing. Returns `undefined` for any other message. Attached files and folders are not read
again.
*/
export function requestIn(message: string, attachments: readonly Attachment[]): PlainRequest | undefined {
	const line = message.trim().replace(/(?<=[\w*"”`])[.?!]+$/, '');
	if (line.length > 400 || line.includes('\n')) return undefined;
	for (const row of table) {
		const match = row.patterns.map(pattern => pattern.exec(line)).find(found => found !== null);
		if (match === undefined) continue;
		const {groups: parts = {}} = match;
		const calls = row.calls(parts).filter(call => row.change !== undefined || !isAttached(call, attachments));
		return {row, parts, calls};
	}
	return undefined;
}

/** Returns examples of messages that the guide understands with these tools. */
export function examples(offered: ReadonlySet<string>): readonly string[] {
	return table.flatMap(({example, tools}) => (tools.every(name => offered.has(name)) ? example : []));
}

/** The named groups of a row's patterns. */
type Parts = Readonly<Record<string, string | undefined>>;

type Row = {
	readonly example: readonly string[];
	/** What the guide does, as the beginning of a sentence. */
	readonly doing: string;
	readonly tools: readonly string[];
	readonly patterns: readonly RegExp[];
	readonly calls: (parts: Parts) => readonly Call[];
	/** Returns the call that makes the change after the first result, or a sentence that says why nothing changes. */
	readonly change?: (parts: Parts, read: Step) => Call | string;
};

const quoted = '"[^"]+"|“[^”]+”|`[^`]+`';
const folder = String.raw`(?:the )?(?<path>@?(?:${quoted}|[^\s"]+))(?: folder| directory)?`;
const here = '(?:here|there|in (?:this|the|my) (?:code|project|folder|directory|repository))';
const place = `(?: (?:are )?(?:${here}|(?:in|under) ${folder}))?`;
/** A bare word is the name of a file if it has a dot or a slash. */
const file = String.raw`@?(?:${quoted}|[^\s,"]*[./][^\s,"]*)`;

const table: readonly Row[] = [
	{
		example: ['“list the files”, “list the *.ts files in src”'],
		doing: 'Listing',
		tools: ['glob'],
		patterns: [
			plain(
				String.raw`(?:list|show|find|what|which) (?:me )?(?:all )?(?:the )?(?:(?<glob>\S*\*\S*) )?files${place}`,
			),
			plain(String.raw`(?:list|find) (?<glob>\S*\*\S*)${place}`),
			plain(String.raw`find (?<glob>[\w@-][\w@.-]*\.[a-z]\w{0,9})`),
			plain(`(?:ls|tree)(?: ${folder})?`),
			plain(`what(?:'s| is) ${here}`),
		],
		calls: ({glob = '*', path}) => [
			{name: 'glob', args: {pattern: glob.includes('/') ? glob : `**/${glob}`, ...pathOf(path)}},
		],
	},
	{
		example: ['“find TODO”, “which files mention parse”'],
		doing: 'Searching for',
		tools: ['grep'],
		patterns: [
			plain(`(?:which|what) (?<files>files) (?:contain|mention|use|import) (?<text>${quoted}|.+?)${place}`),
			plain(
				'(?:find|grep|(?:search|look)(?: (?:in )?the (?:code|project|files))? for) (?:all |every |the )*',
				`(?<text>${quoted}|.+?)(?: comments?)?${place}`,
			),
			plain(String.raw`(?:list|show) (?:me )?(?:all |the )*(?<text>\S+) comments${place}`),
			plain(String.raw`where is (?<text>${quoted}|\S+)(?: defined| used)?`),
		],
		calls: ({text = '', path, files}) => {
			const pattern = unquoted(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
			const where = path?.includes('*') === true ? {glob: path} : pathOf(path);
			return [{name: 'grep', args: {pattern, ...where, output: files === undefined ? 'content' : 'files'}}];
		},
	},
	{
		example: ['“read src/a.ts”, “show me README.md lines 1-20”'],
		doing: 'Reading',
		tools: ['read_file'],
		patterns: [
			plain(
				'(?:read|show|open|cat|print|explain|outline|summari[sz]e|describe|review)(?: me)?(?: the)?(?: file)? ',
				String.raw`(?<path>${file}(?:(?:,| and|, and) ${file})*)(?: lines? (?<first>\d+)(?:-(?<last>\d+))?)?`,
			),
		],
		calls: ({path = '', first, last = first}) =>
			Array.from(path.matchAll(new RegExp(file, 'g')), ([name]) => readCall(name, first, last)),
	},
	{
		example: ['“replace X with Y in src/a.ts”'],
		doing: 'Reading',
		tools: ['read_file', 'edit_file'],
		patterns: [
			plain(
				`(?:replace|change|rename) (?<old>${quoted}|.+?) (?:by|with|to) (?<fresh>${quoted}|.+?) in (?:file )?`,
				folder,
			),
		],
		calls: ({path}) => [{name: 'read_file', args: {...pathOf(path), numbers: true}}],
		change: replacement,
	},
	{
		example: [],
		doing: 'Writing',
		tools: ['write_file'],
		patterns: [
			plain(
				`(?:create|write|make) (?:a )?(?:new )?(?:file )?(?<path>${file}) (?:with|containing) `,
				`(?<content>${quoted}|.+?)`,
			),
		],
		calls: ({path, content = ''}) => [
			{name: 'write_file', args: {...pathOf(path), content: `${unquoted(content)}\n`}},
		],
	},
	{
		example: ['“run npm test”'],
		doing: 'Running',
		tools: ['bash'],
		patterns: [
			plain(
				String.raw`(?:run|execute) (?!(?:it|this|that|the|an?|my|your|in|on|out|away)\b)`,
				`(?<command>${quoted}|.+?)`,
			),
		],
		calls: ({command = ''}) => [{name: 'bash', args: {command: unquoted(command)}}],
	},
];

/** Builds the pattern of a whole request. Each space in `parts` matches one or more spaces. */
function plain(...parts: readonly string[]): RegExp {
	const source = parts.join('').replaceAll(' ', ' +');
	return new RegExp(`^(?:(?:please|can you|could you) +)*${source}(?:,? +please)?$`, 'i');
}

function replacement({old = '', fresh = '', path = ''}: Parts, {content}: Step): Call | string {
	const from = unquoted(old);
	const count = numberedText(content).text.split(from).length - 1;
	const isWhole = !/\n\[\.\.\.truncated[^\n]*\]$/.test(content);
	if (count === 0 && isWhole) return `${code(from)} does not occur in ${code(bare(path))}: nothing was changed.`;
	const all = count === 1 && isWhole ? {} : {all: true};
	return {name: 'edit_file', args: {...pathOf(path), edits: [{old: from, new: unquoted(fresh), ...all}]}};
}

function readCall(name: string, first: string | undefined, last: string | undefined): Call {
	const {
		path = name,
		from = first,
		to = from === first ? last : from,
	} = /^(?<path>.+?):(?<from>\d+)(?:-(?<to>\d+))?$/.exec(name)?.groups ?? {};
	const lines = from === undefined ? {} : {offset: Number(from), limit: Number(to) - Number(from) + 1};
	return {name: 'read_file', args: {...pathOf(path), ...lines, numbers: true}};
}

function isAttached({args: {pattern = '**/*', path}}: Call, attachments: readonly Attachment[]): boolean {
	return pattern === '**/*' && attachments.some(({kind, name}) => kind !== 'Workflow' && bare(name) === path);
}

function pathOf(path: string | undefined): {readonly path?: string} {
	return path === undefined ? {} : {path: bare(path)};
}

/** Returns a path without its `@`, its quotes and its final slash. */
function bare(path: string): string {
	return unquoted(path.replace(/^@/, '')).replace(/(?<=.)\/$/, '');
}

function unquoted(text: string): string {
	return new RegExp(`^(?:${quoted})$`).test(text) ? text.slice(1, -1) : text;
}

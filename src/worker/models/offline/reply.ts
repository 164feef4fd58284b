import type {ModelRequest} from '../../model.ts';
import type {Call, Reply} from './call.ts';
import {intentsOf, type Intent} from './intent.ts';
import {
	code,
	failed,
	reportDir,
	reportFile,
	reportList,
	reportRead,
	reportReplaced,
	reportSearch,
	reportStep,
	reportTold,
	reportWorkflow,
} from './report.ts';
import {summaryReply} from './summary.ts';
import {turnOf, type Step, type Turn} from './turn.ts';

/** What the guide answers: calls of tools as long as something is left to do, then a summary of what they said. */
export function replyTo(request: ModelRequest): Reply {
	const summary = summaryReply(request);
	if (summary !== undefined) return summary;
	const turn = turnOf(request);
	if (turn.told.length > 0) return {text: turn.told.map(reportTold).join('\n\n'), calls: []};
	const {calls, said} = advance(intentsOf(turn.ask), turn);
	if (calls.length > 0) return {text: turn.steps.length === 0 ? announce(calls) : '', calls};
	const attached = turn.files.filter(({now, path}) => now && !said.some(text => text.includes(path)));
	const parts = [
		...turn.unresolved.map(
			path => `I could not see ${code(path)}: it could not be attached, so nothing here is said about it.`,
		),
		...said,
		...attached.map(reportFile),
		...turn.dirs.map(reportDir),
		...turn.workflows.map(reportWorkflow),
	];
	return {
		text: parts.length === 0 ? introduction(turn) : [...parts, ...(turn.first ? [note] : [])].join('\n\n'),
		calls: [],
	};
}

type Move =
	/** Not done yet: these calls come next. */
	| {readonly type: 'calls'; readonly calls: readonly Call[]}
	/** Done, with `used` of the steps. `ok: false` ends what was still to come. */
	| {readonly type: 'said'; readonly text: string; readonly used: number; readonly ok: boolean};

type Handlers = {
	readonly [Kind in Intent['kind']]: (
		intent: Extract<Intent, {kind: Kind}>,
		steps: readonly Step[],
		turn: Turn,
	) => Move;
};

const handlers: Handlers = {
	list(intent, [step], turn) {
		if (intent.path !== undefined && isAttachedDir(intent.path, turn))
			return {type: 'said', text: '', used: 0, ok: true};
		return step === undefined
			? ask('glob', {pattern: intent.pattern, ...withPath(intent.path)})
			: say(reportList(intent, step), step);
	},
	search(intent, [step]) {
		if (step !== undefined) return say(reportSearch(intent, step), step);
		return ask('grep', {
			pattern: intent.pattern,
			...withPath(intent.path),
			...(intent.glob === undefined ? {} : {glob: intent.glob}),
			output: intent.output,
		});
	},
	read: readMove,
	replace: replaceMove,
	write: (intent, [step]) =>
		step === undefined
			? ask('write_file', {path: intent.path, content: intent.content})
			: say(reportStep(`${code('write_file')} on ${code(intent.path)}`, step), step),
	run: (intent, [step]) =>
		step === undefined ? ask('bash', {command: intent.command}) : say(reportStep(code(intent.command), step), step),
};

/** The intents that only read, one round each: they are asked side by side. */
const sideBySide: ReadonlySet<Intent['kind']> = new Set(['list', 'search', 'read']);

/** Goes through the intents with the steps already taken, as far as they reach. */
function advance(
	intents: readonly Intent[],
	turn: Turn,
): {readonly calls: readonly Call[]; readonly said: readonly string[]} {
	const said: string[] = [];
	const calls: Call[] = [];
	let steps = turn.steps;
	for (const intent of intents) {
		if (calls.length > 0 && !sideBySide.has(intent.kind)) break;
		const move = handlers[intent.kind](intent as never, steps, turn);
		if (move.type === 'calls') {
			const missing = move.calls.find(({name}) => !turn.tools.has(name));
			if (missing !== undefined)
				said.push(
					`That would take the tool ${code(missing.name)}, which this session does not offer. Nothing was done.`,
				);
			else calls.push(...move.calls);
			if (!sideBySide.has(intent.kind)) break;
			continue;
		}
		if (move.text !== '') said.push(move.text);
		steps = steps.slice(move.used);
		if (!move.ok && !sideBySide.has(intent.kind)) break;
	}
	return {calls, said};
}

function readMove({targets}: Extract<Intent, {kind: 'read'}>, steps: readonly Step[], turn: Turn): Move {
	const seen = turn.files.filter(file => file.now && targets.some(({path}) => path === file.path));
	const absent = targets.filter(({path}) => !seen.some(file => file.path === path) && !isAttachedDir(path, turn));
	const wanted = absent.slice(0, 8);
	const done = steps.slice(0, wanted.length);
	if (done.length < wanted.length)
		return {
			type: 'calls',
			calls: wanted.map(({path, first, last}) => ({
				name: 'read_file',
				args: {
					path,
					...(first === undefined ? {} : {offset: first}),
					...(first === undefined || last === undefined ? {} : {limit: last - first + 1}),
				},
			})),
		};
	return {
		type: 'said',
		text: [...seen.map(reportFile), ...done.map(reportRead)].join('\n\n'),
		used: done.length,
		ok: !done.some(({isError}) => isError),
	};
}

/** Looks before it changes: an edit needs a read, and a text that is not there is said rather than tried. */
function replaceMove(
	{path, old, new: fresh}: Extract<Intent, {kind: 'replace'}>,
	steps: readonly Step[],
	turn: Turn,
): Move {
	const attached = turn.files.findLast(file => file.now && file.path === path);
	const read = attached === undefined ? steps[0] : undefined;
	if (attached === undefined && read === undefined)
		return turn.tools.has('edit_file') ? ask('read_file', {path}) : ask('edit_file', {});
	if (read?.isError) return {type: 'said', text: failed('read_file', read), used: 1, ok: false};
	const text = attached?.body ?? withoutNumbers(read!.content);
	const used = read === undefined ? 0 : 1;
	const edit = steps[used];
	const count = text.split(old).length - 1;
	const whole = attached === undefined ? !/\n\[\.\.\.truncated[^\n]*\]$/.test(read!.content) : !attached.partial;
	if (edit !== undefined)
		return {
			type: 'said',
			text: reportReplaced({old, fresh, path, count: whole ? count : undefined}, edit),
			used: used + 1,
			ok: !edit.isError,
		};
	if (count === 0 && whole)
		return {
			type: 'said',
			text: `${code(old)} does not occur in ${code(path)}: nothing was changed.`,
			used,
			ok: false,
		};
	return ask('edit_file', {path, edits: [{old, new: fresh, ...(count === 1 && whole ? {} : {all: true})}]});
}

/** It is described with the other attachments. */
function isAttachedDir(path: string, turn: Turn): boolean {
	return turn.dirs.some(dir => dir.path.replace(/\/$/, '') === path.replace(/\/$/, ''));
}

/** The lines of the file alone: heads and notes of the answer are none. */
function withoutNumbers(content: string): string {
	return content
		.split('\n')
		.flatMap(row => /^ *\d+\t(?<line>[^]*)$/.exec(row)?.groups?.['line'] ?? [])
		.join('\n');
}

function ask(name: string, args: Call['args']): Move {
	return {type: 'calls', calls: [{name, args}]};
}

function say(text: string, step: Step): Move {
	return {type: 'said', text, used: 1, ok: !step.isError};
}

function withPath(path: string | undefined): {readonly path?: string} {
	return path === undefined ? {} : {path};
}

function announce(calls: readonly Call[]): string {
	const did = calls.map(
		({name, args}) =>
			`${doing[name] ?? name} ${code([args['pattern'], args['command'], args['path']].find(value => typeof value === 'string') ?? '')}`,
	);
	return `${did.join(', ').replace(/^./, letter => letter.toUpperCase())} …`;
}

const doing: Readonly<Record<string, string>> = {
	glob: 'listing',
	grep: 'searching for',
	read_file: 'reading',
	edit_file: 'editing',
	write_file: 'writing',
	bash: 'running',
};

const note =
	'*I am the offline guide: rules, not a language model. `inkpod --model provider/name` connects a real one.*';

function introduction(turn: Turn): string {
	const can = examples.filter(({tool}) => tool === undefined || turn.tools.has(tool)).map(({text}) => `- ${text}`);
	return [
		/^\s*(?:hi|hello|hey|good (?:morning|day|evening)|こんにちは|hallo|bonjour)\b/i.test(turn.ask)
			? 'Hello! I am the offline guide.'
			: 'I am the offline guide.',
		'I am no language model: I follow a few rules, need no key and no network, and only say what stands in this conversation. No rule of mine fits your message. What I can do:',
		can.join('\n'),
		'To connect a real model, set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GEMINI_API_KEY` or `OPENROUTER_API_KEY` and start inkpod again, or name one with `inkpod --model provider/name` (`ollama/<name>` for a local server).',
	].join('\n\n');
}

const examples: ReadonlyArray<{readonly tool?: string; readonly text: string}> = [
	{text: 'outline what you attach: type `@` and pick a file, or `/` and pick a workflow'},
	{tool: 'glob', text: '“list the files”, “list the *.ts files in src”'},
	{tool: 'grep', text: '“find TODO”, “which files mention parse”'},
	{tool: 'read_file', text: '“read src/a.ts”, “show me README.md lines 1-20”'},
	{tool: 'edit_file', text: '“replace X by Y in src/a.ts”'},
	{tool: 'bash', text: '“run npm test”'},
];

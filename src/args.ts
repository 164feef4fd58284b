import {parseArgs} from 'node:util';
import {approvalModes, type ApprovalMode, type ChatOptions, type StartOptions} from './pod/first-frame.ts';

/** What the person asked the program to do, from its arguments alone. */
export type Launch =
	| ({
			readonly command: 'chat';
			readonly prompt: string;
			/** The mouse stays the terminal's. */ readonly noMouse?: boolean;
			/** The alternate screen is not used. */ readonly inline?: boolean;
			/** Lines for a screen reader. */ readonly screenReader?: boolean;
			/** The transcript is left in the scrollback at the end. */ readonly dump?: boolean;
	  } & ChatOptions)
	| ({readonly command: 'print'; readonly prompt: string; readonly format: OutputFormat} & Start)
	| {
			readonly command: 'sessions';
			readonly json: boolean;
			readonly all: boolean;
			readonly cwd?: string;
			readonly manifest?: string;
	  }
	| {
			readonly command: 'verify';
			readonly id: string;
			readonly requests?: boolean;
			readonly cwd?: string;
			readonly manifest?: string;
	  }
	| {
			readonly command: 'context';
			readonly id: string;
			readonly json: boolean;
			readonly request: boolean;
			readonly cwd?: string;
			readonly manifest?: string;
	  }
	| {
			readonly command: 'notify';
			readonly id: string;
			readonly text: string;
			readonly run: boolean;
			readonly cwd?: string;
			readonly manifest?: string;
	  }
	| {
			readonly command: 'doctor';
			readonly json: boolean;
			readonly model?: string;
			readonly cwd?: string;
			readonly manifest?: string;
	  }
	| {readonly command: 'help' | 'version'};

export type Start = StartOptions;
export type ChatLaunch = Extract<Launch, {command: 'chat'}>;

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export type Parsed = {readonly ok: true; readonly launch: Launch} | {readonly ok: false; readonly sentence: string};

/** argv (without node and script) to a Launch, or one sentence about what is wrong with it. */
export function parseLaunch(argv: readonly string[]): Parsed {
	const read = readOptions(argv);
	if (!read.ok) return read;
	const {values, positionals} = read;
	if (values.help === true) return launch({command: 'help'});
	if (values.version === true) return launch({command: 'version'});
	const subcommand = subcommands.get(positionals[0] ?? '');
	if (subcommand !== undefined && values.print !== true) return subcommand(positionals.slice(1), values);
	return conversation(values, positionals.join(' '));
}

export const helpText = `inkpod: chat with a model about the project in this directory. The transcript is the context.

  inkpod [prompt]            full-screen chat; a prompt is sent at once
  inkpod -p [prompt]         no screen: prompt from the argument and/or stdin, answer on stdout
  inkpod -c                  go on with the latest session of this directory
  inkpod -r [id]             resume a session by id or unique prefix; without id: choose one
  inkpod --fork [-r [id]]    the same in a new session that begins as the old one, which stays as it is
  inkpod attach [id]         sit down at a session that is open in another terminal
  inkpod sessions            list the sessions of this directory (--all, --json)
  inkpod verify <id>         check a session's history (--requests: make its requests again and compare)
  inkpod context <id>        what the next request of a session holds (--json; --request: its exact body)
  inkpod notify <id> TEXT    tell a session that is open in a terminal something (--run: it answers)
  inkpod doctor              check what inkpod needs here: terminal, keys, model, files (--json)

  -p, --print                    print mode
      --output-format FORMAT     text, json or stream-json (print mode)
      --model PROVIDER/NAME      anthropic, openai, google, openrouter, ollama, lmstudio, llama.cpp,
                                 openai-compatible, offline or scripted:FILE
      --cwd DIR                  work in DIR
      --read-only                nothing may be changed
      --add-dir DIR              DIR may be read, too (repeatable)
      --manifest FILE            use this inkpod.toml
      --approval MODE            ask, accept-edits or auto: what may be done without asking
      --trust                    trust what the project holds now, for this run
      --no-socket                no other terminal can attach to this one
      --no-mouse                 leave the mouse to the terminal
      --inline                   below what stands in the terminal, without a screen of its own
      --screen-reader            plain lines for a screen reader, without a screen of its own
      --dump                     leave the transcript in the terminal's scrollback at the end
      --version, --help

In the prompt, @path attaches a file, @path:10-20 some of its lines, @dir/ a directory, /name invokes a workflow.
`;

const options = {
	print: {type: 'boolean', short: 'p'},
	continue: {type: 'boolean', short: 'c'},
	resume: {type: 'string', short: 'r'},
	fork: {type: 'boolean'},
	'output-format': {type: 'string'},
	model: {type: 'string'},
	cwd: {type: 'string'},
	manifest: {type: 'string'},
	'read-only': {type: 'boolean'},
	'add-dir': {type: 'string', multiple: true},
	approval: {type: 'string'},
	trust: {type: 'boolean'},
	'no-socket': {type: 'boolean'},
	'no-mouse': {type: 'boolean'},
	inline: {type: 'boolean'},
	'screen-reader': {type: 'boolean'},
	dump: {type: 'boolean'},
	json: {type: 'boolean'},
	all: {type: 'boolean'},
	run: {type: 'boolean'},
	request: {type: 'boolean'},
	requests: {type: 'boolean'},
	version: {type: 'boolean'},
	help: {type: 'boolean', short: 'h'},
} as const;

type Values = ReturnType<typeof parseArgs<{options: typeof options; allowPositionals: true}>>['values'];

function readOptions(
	argv: readonly string[],
):
	| {readonly ok: true; readonly values: Values; readonly positionals: readonly string[]}
	| {readonly ok: false; readonly sentence: string} {
	try {
		const {values, positionals} = parseArgs({args: withResumeValue(argv), options, allowPositionals: true});
		return {ok: true, values, positionals};
	} catch (error) {
		// Node's sentence ends in advice about '--' that is longer than the news.
		const [news] = (error as Error).message.split('. To specify');
		return failed(`${news!.replace(/\.$/, '')}. Try inkpod --help.`);
	}
}

/**
parseArgs knows no optional values: the word after `-r` is an id when it looks like one, else it belongs to the prompt.
*/
function withResumeValue(argv: readonly string[]): string[] {
	const out: string[] = [];
	for (let i = 0; i < argv.length; i++) {
		const arg = argv[i]!;
		if (arg === '--') return [...out, ...argv.slice(i)];
		if (arg !== '-r' && arg !== '--resume') {
			out.push(arg);
			continue;
		}
		const isId = sessionIdPrefix.test(argv[i + 1] ?? '');
		out.push(`--resume=${isId ? argv[i + 1]! : ''}`);
		if (isId) i++;
	}
	return out;
}

/**
The start of a ULID in Crockford's base 32, long enough to be no word by accident; in small letters only with the 0 that
every ULID of this age begins with.
*/
const sessionIdPrefix = /^(?:[0-9A-HJKMNP-TV-Z]{4,26}|0[0-9a-hjkmnp-tv-z]{3,25})$/;

type Subcommand = (words: readonly string[], values: Values) => Parsed;

/** A map, because it is asked for any first word of a prompt. */
const subcommands: ReadonlyMap<string, Subcommand> = new Map([
	['attach', attach],
	['sessions', sessions],
	['verify', verify],
	['context', context],
	['notify', notify],
	['doctor', doctor],
]);

function sessions(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(`inkpod sessions takes no argument, but got ${words.join(' ')}.`);
	return launch({command: 'sessions', json: values.json === true, all: values.all === true, ...where(values)});
}

function verify([id, ...rest]: readonly string[], values: Values): Parsed {
	if (id === undefined || rest.length > 0) return failed('inkpod verify takes one session id or prefix.');
	return launch({command: 'verify', id, ...(values.requests === true && {requests: true}), ...where(values)});
}

function context([id, ...rest]: readonly string[], values: Values): Parsed {
	if (id === undefined || rest.length > 0) return failed('inkpod context takes one session id or prefix.');
	if (values.json === true && values.request === true) return failed('--json and --request exclude each other.');
	return launch({
		command: 'context',
		id,
		json: values.json === true,
		request: values.request === true,
		...where(values),
	});
}

function notify([id, ...words]: readonly string[], values: Values): Parsed {
	const text = words.join(' ');
	if (id === undefined || text.trim() === '')
		return failed('inkpod notify takes a session id or prefix, and a text.');
	return launch({command: 'notify', id, text, run: values.run === true, ...where(values)});
}

function doctor(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(`inkpod doctor takes no argument, but got ${words.join(' ')}.`);
	return launch({
		command: 'doctor',
		json: values.json === true,
		...optional('model', values.model),
		...where(values),
	});
}

/** A chat, but on a session that another terminal has. */
function attach([id, ...rest]: readonly string[], values: Values): Parsed {
	if (rest.length > 0) return failed('inkpod attach takes one session id or prefix, or none.');
	if (values.continue === true || values.resume !== undefined || values.fork === true)
		return failed('inkpod attach goes without -c and -r, and without --fork.');
	const parsed = conversation(values, '');
	return parsed.ok && parsed.launch.command === 'chat'
		? launch({...parsed.launch, attach: optional('id', id)})
		: parsed;
}

function where({cwd, manifest}: Values): {readonly cwd?: string; readonly manifest?: string} {
	return {...optional('cwd', cwd), ...optional('manifest', manifest)};
}

function conversation(values: Values, prompt: string): Parsed {
	if (values.continue === true && values.resume !== undefined) return failed('-c and -r exclude each other.');
	if (values.json === true || values.all === true) return failed('--json and --all belong to inkpod sessions.');
	if (values.run === true) return failed('--run belongs to inkpod notify.');
	const {approval} = values;
	if (approval !== undefined && !isApprovalMode(approval))
		return failed(`--approval is one of ${approvalModes.join(', ')}, not ${approval}.`);
	if (values.request === true) return failed('--request belongs to inkpod context.');
	if (values.requests === true) return failed('--requests belongs to inkpod verify.');
	const start: Start = {
		session:
			values.continue === true || (values.fork === true && values.resume === undefined)
				? {kind: 'latest'}
				: values.resume === undefined
					? {kind: 'new'}
					: values.resume === ''
						? {kind: 'pick'}
						: {kind: 'id', id: values.resume},
		readOnly: values['read-only'] === true,
		addDirs: values['add-dir'] ?? [],
		...(values.fork === true && {fork: true}),
		...(values.trust === true && {trust: true}),
		...(approval !== undefined && {approval}),
		...optional('model', values.model),
		...where(values),
	};
	const format = values['output-format'];
	if (values.print !== true)
		return format === undefined
			? launch({
					command: 'chat',
					prompt,
					...(values['no-socket'] === true && {noSocket: true}),
					...(values['no-mouse'] === true && {noMouse: true}),
					...(values.inline === true && {inline: true}),
					...(values['screen-reader'] === true && {screenReader: true}),
					...(values.dump === true && {dump: true}),
					...start,
				})
			: failed('--output-format belongs to print mode: add -p.');
	if (start.session.kind === 'pick') return failed('In print mode -r needs a session id.');
	if (format !== undefined && !isOutputFormat(format))
		return failed(`--output-format is one of ${outputFormats.join(', ')}, not ${format}.`);
	return launch({command: 'print', prompt, format: format ?? 'text', ...start});
}

function isApprovalMode(text: string): text is ApprovalMode {
	return (approvalModes as readonly string[]).includes(text);
}

function isOutputFormat(text: string): text is OutputFormat {
	return (outputFormats as readonly string[]).includes(text);
}

function optional<Key extends string>(key: Key, value: string | undefined): {[K in Key]?: string} {
	return (value === undefined ? {} : {[key]: value}) as {[K in Key]?: string};
}

function launch(value: Launch): Parsed {
	return {ok: true, launch: value};
}

function failed(sentence: string): {readonly ok: false; readonly sentence: string} {
	return {ok: false, sentence};
}

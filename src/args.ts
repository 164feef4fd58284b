import {parseArgs} from 'node:util';
import {
	acpStandsAlone,
	attachStandsAlone,
	attachTakesOneId,
	badIdle,
	badMaxCost,
	badMaxTurns,
	badOption,
	badRemote,
	bgStandsAlone,
	formatNeedsPrint,
	needsOneId,
	needsProvider,
	noArguments,
	noListOptions,
	notifyNeedsText,
	notOneOf,
	onlyWith,
	planOrApproval,
	printNeedsId,
	resumeOrContinue,
	stdioNeedsId,
} from './commands/usage-texts.ts';
import {
	approvalModes,
	efforts,
	parseRemoteName,
	type ApprovalMode,
	type ChatOptions,
	type Effort,
	type StartOptions,
} from './pod/first-frame.ts';

/** What the arguments ask inkpod to start. */
export type Launch =
	| ({
			readonly command: 'chat';
			readonly prompt: string;
			/** If true, the mouse is left to the terminal. */ readonly noMouse?: boolean;
			/** If true, the screen is rendered without the alternate screen. */ readonly inline?: boolean;
			/** If true, plain lines for a screen reader replace the full screen. */ readonly screenReader?: boolean;
			/** If true, the transcript is printed to the scrollback at the end. */ readonly dump?: boolean;
	  } & ChatOptions)
	/** `--bg`: a task for the server. */
	| ({readonly command: 'background'; readonly prompt: string} & Start)
	/** `idle`: minutes. */
	/** `acp`: the server for an editor. The options of the start apply to all of its sessions. */
	| {readonly command: 'acp'; readonly start: Start}
	| {readonly command: 'serve'; readonly unit: boolean; readonly idle?: number}
	/** `attach --stdio`: the wire of a session for another machine. */
	| {readonly command: 'relay'; readonly id: string}
	| ({readonly command: 'print'; readonly prompt: string; readonly format: OutputFormat} & Start)
	| ({readonly command: 'sessions'; readonly json: boolean; readonly all: boolean; readonly needs: boolean} & Place)
	| ({readonly command: 'verify'; readonly id: string; readonly requests?: boolean} & Place)
	| ({readonly command: 'repair'; readonly id: string} & Place)
	| ({readonly command: 'context'; readonly id: string; readonly json: boolean; readonly request: boolean} & Place)
	| ({readonly command: 'notify'; readonly id: string; readonly text: string; readonly run: boolean} & Place)
	| {readonly command: 'models'; readonly json: boolean}
	| ({readonly command: 'login'; readonly provider: string} & Place)
	| ({readonly command: 'logout'; readonly provider: string} & Place)
	| ({readonly command: 'doctor'; readonly json: boolean; readonly model?: string} & Place)
	| {readonly command: 'help'}
	| {readonly command: 'version'};

/** Where a command looks for the project. */
type Place = {readonly cwd?: string; readonly manifest?: string};

export type Start = StartOptions;
export type ChatLaunch = Extract<Launch, {command: 'chat'}>;

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export type Parsed = {readonly ok: true; readonly launch: Launch} | {readonly ok: false; readonly sentence: string};

/** Parses argv (without node and script). For a mistake it returns one sentence. */
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

const options = {
	print: {type: 'boolean', short: 'p'},
	continue: {type: 'boolean', short: 'c'},
	resume: {type: 'string', short: 'r'},
	fork: {type: 'boolean'},
	'output-format': {type: 'string'},
	model: {type: 'string'},
	effort: {type: 'string'},
	option: {type: 'string', multiple: true},
	'max-turns': {type: 'string'},
	'max-cost': {type: 'string'},
	cwd: {type: 'string'},
	manifest: {type: 'string'},
	'read-only': {type: 'boolean'},
	'add-dir': {type: 'string', multiple: true},
	approval: {type: 'string'},
	plan: {type: 'boolean'},
	trust: {type: 'boolean'},
	'no-confine': {type: 'boolean'},
	'no-socket': {type: 'boolean'},
	'no-mouse': {type: 'boolean'},
	inline: {type: 'boolean'},
	'screen-reader': {type: 'boolean'},
	dump: {type: 'boolean'},
	json: {type: 'boolean'},
	bg: {type: 'boolean'},
	stdio: {type: 'boolean'},
	unit: {type: 'boolean'},
	idle: {type: 'string'},
	all: {type: 'boolean'},
	needs: {type: 'boolean'},
	run: {type: 'boolean'},
	request: {type: 'boolean'},
	requests: {type: 'boolean'},
	version: {type: 'boolean'},
	help: {type: 'boolean', short: 'h'},
} as const;

type Values = ReturnType<typeof parseArgs<{options: typeof options; allowPositionals: true}>>['values'];

type Failed = {readonly ok: false; readonly sentence: string};
type Options = {readonly ok: true; readonly values: Values; readonly positionals: readonly string[]};

function readOptions(argv: readonly string[]): Options | Failed {
	try {
		const {values, positionals} = parseArgs({args: withResumeValue(argv), options, allowPositionals: true});
		return {ok: true, values, positionals};
	} catch (error) {
		return failed(badOption(error instanceof Error ? error.message : String(error)));
	}
}

/**
Joins `-r` with its id, because parseArgs has no optional values. The word after `-r` is an id if it looks like one, and
part of the prompt otherwise.
*/
function withResumeValue(argv: readonly string[]): readonly string[] {
	const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
	const options = argv.slice(0, end);
	const read = options.flatMap((arg, at) => {
		if (isResume(arg)) return [`--resume=${idIn(options[at + 1])}`];
		return isResume(options[at - 1]) && idIn(arg) !== '' ? [] : [arg];
	});
	return [...read, ...argv.slice(end)];
}

function isResume(arg: string | undefined): boolean {
	return arg === '-r' || arg === '--resume';
}

function idIn(arg = ''): string {
	return sessionIdPrefix.test(arg) ? arg : '';
}

/**
Matches the start of a ULID in Crockford's base 32 that is too long for a word. A prefix in lower case must begin with
0, as all current ULIDs do.
*/
const sessionIdPrefix = /^(?:[0-9A-HJKMNP-TV-Z]{4,26}|0[0-9a-hjkmnp-tv-z]{3,25})$/;

type Subcommand = (words: readonly string[], values: Values) => Parsed;

/** A map instead of an object: an object would also find `constructor`, and any word can begin a prompt. */
const subcommands: ReadonlyMap<string, Subcommand> = new Map([
	['attach', attach],
	['acp', acp],
	['serve', serve],
	['sessions', sessions],
	['verify', verify],
	['repair', repair],
	['context', context],
	['notify', notify],
	['models', models],
	['login', login('login')],
	['logout', login('logout')],
	['doctor', doctor],
]);

export const subcommandNames: readonly string[] = [...subcommands.keys()];

function sessions(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('sessions', words));
	const {json = false, all = false, needs = false} = values;
	return launch({command: 'sessions', json, all, needs, ...where(values)});
}

/** `acp login PROVIDER`: an editor appends these words to run the login in a terminal. */
function acp(words: readonly string[], values: Values): Parsed {
	const [first, ...rest] = words;
	if (first === 'login') return login('login')(rest, values);
	if (words.length > 0) return failed(noArguments('acp', words));
	const {continue: isContinued, resume, fork, print, bg} = values;
	if ([isContinued, resume, fork, print, bg, values.cwd].some(value => value !== undefined))
		return failed(acpStandsAlone);
	const parsed = conversation(values, '');
	return parsed.ok && parsed.launch.command === 'chat' ? launch({command: 'acp', start: parsed.launch}) : parsed;
}

function serve(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('serve', words));
	const idle = limitOf(values.idle, /^(?=.*[1-9])\d{1,6}(?:\.\d{1,3})?$/);
	if (idle === 'wrong') return failed(badIdle);
	return launch({command: 'serve', unit: values.unit === true, ...(idle !== undefined && {idle})});
}

function verify([id, ...rest]: readonly string[], values: Values): Parsed {
	if (isMissing(id) || rest.length > 0) return failed(needsOneId('verify'));
	return launch({command: 'verify', id, ...(values.requests === true && {requests: true}), ...where(values)});
}

function repair([id, ...rest]: readonly string[], values: Values): Parsed {
	if (isMissing(id) || rest.length > 0) return failed(needsOneId('repair'));
	return launch({command: 'repair', id, ...where(values)});
}

function context([id, ...rest]: readonly string[], values: Values): Parsed {
	if (isMissing(id) || rest.length > 0) return failed(needsOneId('context'));
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
	if (isMissing(id) || text.trim() === '') return failed(notifyNeedsText);
	return launch({command: 'notify', id, text, run: values.run === true, ...where(values)});
}

function models(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('models', words));
	return launch({command: 'models', json: values.json === true});
}

/** A key never comes from the arguments, and the sentence about a mistake does not repeat them. */
function login(command: 'login' | 'logout'): Subcommand {
	return ([provider, ...rest], values) =>
		isMissing(provider) || rest.length > 0
			? failed(needsProvider(command))
			: launch({command, provider, ...where(values)});
}

function doctor(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('doctor', words));
	return launch({
		command: 'doctor',
		json: values.json === true,
		...(values.model !== undefined && {model: values.model}),
		...where(values),
	});
}

/** Launches a chat on a session that another terminal has open. */
function attach([id, ...rest]: readonly string[], values: Values): Parsed {
	if (rest.length > 0 || (id !== undefined && isMissing(id))) return failed(attachTakesOneId);
	if (values.stdio === true) return id === undefined ? failed(stdioNeedsId) : launch({command: 'relay', id});
	const remote = id?.includes(':') === true ? parseRemoteName(id) : undefined;
	if (id?.includes(':') === true && remote === undefined) return failed(badRemote);
	if (values.bg === true) return failed(bgStandsAlone);
	if (values.continue === true || values.resume !== undefined || values.fork === true)
		return failed(attachStandsAlone);
	const parsed = conversation(values, '');
	return parsed.ok && parsed.launch.command === 'chat'
		? launch({...parsed.launch, attach: remote !== undefined ? {remote} : id === undefined ? {} : {id}})
		: parsed;
}

/** An empty id would be the beginning of every id. */
function isMissing(id: string | undefined): id is undefined | '' {
	return id === undefined || id.trim() === '';
}

function where({cwd, manifest}: Values): Place {
	return {...(cwd !== undefined && {cwd}), ...(manifest !== undefined && {manifest})};
}

function conversation(values: Values, prompt: string): Parsed {
	const misplaced = misplacedOption(values);
	if (misplaced !== undefined) return failed(misplaced);
	const {'output-format': format} = values;
	if (values.plan === true && values.approval !== undefined) return failed(planOrApproval);
	const approval = values.plan === true ? 'plan' : values.approval;
	if (approval !== undefined && !isApprovalMode(approval))
		return failed(notOneOf('--approval', approval, approvalModes));
	const {effort} = values;
	if (effort !== undefined && !isEffort(effort)) return failed(notOneOf('--effort', effort, efforts));
	const maxTurns = limitOf(values['max-turns'], /^[1-9]\d{0,8}$/);
	if (maxTurns === 'wrong') return failed(badMaxTurns);
	const maxCost = limitOf(values['max-cost'], /^(?=.*[1-9])\d{1,6}(?:\.\d{1,6})?$/);
	if (maxCost === 'wrong') return failed(badMaxCost);
	const start = {...startOf(values, approval, effort), ...(maxTurns && {maxTurns}), ...(maxCost && {maxCost})};
	if (values.bg === true)
		return values.print === true || format !== undefined
			? failed(bgStandsAlone)
			: launch({command: 'background', prompt, ...start});
	if (values.print !== true)
		return format === undefined
			? launch({command: 'chat', prompt, ...screenOptions(values), ...start})
			: failed(formatNeedsPrint);
	if (start.session.kind === 'pick') return failed(printNeedsId);
	if (format !== undefined && !isOutputFormat(format))
		return failed(notOneOf('--output-format', format, outputFormats));
	return launch({command: 'print', prompt, format: format ?? 'text', ...start});
}

function limitOf(text: string | undefined, form: RegExp): number | 'wrong' | undefined {
	if (text === undefined) return undefined;
	return form.test(text) ? Number(text) : 'wrong';
}

function misplacedOption(values: Values): string | undefined {
	if (values.continue === true && values.resume !== undefined) return resumeOrContinue;
	if (values.json === true || values.all === true) return noListOptions;
	if (values.needs === true) return onlyWith('--needs', 'sessions');
	if (values.stdio === true) return onlyWith('--stdio', 'attach');
	if (values.unit === true) return onlyWith('--unit', 'serve');
	if (values.idle !== undefined) return onlyWith('--idle', 'serve');
	if (values.run === true) return onlyWith('--run', 'notify');
	if (values.request === true) return onlyWith('--request', 'context');
	return values.requests === true ? onlyWith('--requests', 'verify') : undefined;
}

function startOf(values: Values, approval: ApprovalMode | undefined, effort: Effort | undefined): Start {
	return {
		session: sessionOf(values),
		readOnly: values['read-only'] === true,
		addDirs: values['add-dir'] ?? [],
		...(values.fork === true && {fork: true}),
		...(values.trust === true && {trust: true}),
		...(values['no-confine'] === true && {noConfine: true}),
		...(approval !== undefined && {approval}),
		...(values.model !== undefined && {model: values.model}),
		...(effort !== undefined && {effort}),
		...(values.option !== undefined && {options: values.option}),
		...where(values),
	};
}

function sessionOf({continue: isContinued, fork, resume}: Values): Start['session'] {
	if (isContinued === true || (fork === true && resume === undefined)) return {kind: 'latest'};
	if (resume === undefined) return {kind: 'new'};
	return resume === '' ? {kind: 'pick'} : {kind: 'id', id: resume};
}

type ScreenOptions = Pick<
	Extract<Launch, {command: 'chat'}>,
	'noSocket' | 'noMouse' | 'inline' | 'screenReader' | 'dump'
>;

function screenOptions(values: Values): ScreenOptions {
	return {
		...(values['no-socket'] === true && {noSocket: true}),
		...(values['no-mouse'] === true && {noMouse: true}),
		...(values.inline === true && {inline: true}),
		...(values['screen-reader'] === true && {screenReader: true}),
		...(values.dump === true && {dump: true}),
	};
}

function isApprovalMode(text: string): text is ApprovalMode {
	return approvalModes.some(mode => mode === text);
}

function isEffort(text: string): text is Effort {
	return efforts.some(level => level === text);
}

function isOutputFormat(text: string): text is OutputFormat {
	return outputFormats.some(format => format === text);
}

function launch(value: Launch): Parsed {
	return {ok: true, launch: value};
}

function failed(sentence: string): Failed {
	return {ok: false, sentence};
}

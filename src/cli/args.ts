import {
	acpStandsAlone,
	attachStandsAlone,
	attachTakesOneId,
	badIdle,
	badMaxCost,
	badMaxTurns,
	badRemote,
	badSpeed,
	bgStandsAlone,
	bundleNeedsTo,
	bundleOrFormat,
	emptySearch,
	formatNeedsPrint,
	needsOneFile,
	needsOneId,
	needsProvider,
	noArguments,
	noListOptions,
	notifyNeedsText,
	notOneOf,
	onlyWith,
	planOrApproval,
	printNeedsId,
	restoreOrEmpty,
	resumeOrContinue,
	stdioNeedsId,
	streamNeedsStream,
} from './start/usage-texts.ts';
import {
	exportFormats,
	inputFormats,
	outputFormats,
	shells,
	type ExportFormat,
	type Launch,
	type OutputFormat,
	type Start,
} from './start/launch.ts';
import {readMcp} from './start/read-mcp.ts';
import {namesBundle} from './start/names-bundle.ts';
import {readOptions, where, type Failed, type Values} from './start/read-options.ts';
import {approvalModes, efforts, parseRemoteName, type ApprovalMode, type Effort} from '../pod/first-frame.ts';

export {exportFormats, outputFormats} from './start/launch.ts';
export type {ChatLaunch, ExportFormat, Launch, OutputFormat, Start} from './start/launch.ts';

/** The words of the options with a fixed set of values. */
export const optionValues = {
	approval: approvalModes,
	effort: efforts,
	'output-format': outputFormats,
	'input-format': inputFormats,
	format: exportFormats,
} as const;

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

type Subcommand = (words: readonly string[], values: Values) => Parsed;

/** A map instead of an object: an object would also find `constructor`, and any word can begin a prompt. */
const subcommands: ReadonlyMap<string, Subcommand> = new Map([
	['attach', attach],
	['acp', acp],
	['serve', serve],
	['sessions', sessions],
	['verify', verify],
	['replay', replay],
	['repair', repair],
	['export', exported],
	['import', imported],
	['delete', deleted],
	['trash', trash],
	['context', context],
	['notify', notify],
	['models', models],
	['config', config],
	['login', login('login')],
	['logout', login('logout')],
	['mcp', mcp],
	['doctor', doctor],
	['completions', completionsOf],
	['man', words => (words.length > 0 ? failed(noArguments('man', words)) : launch({command: 'man'}))],
]);

export const subcommandNames: readonly string[] = [...subcommands.keys()];

function sessions(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('sessions', words));
	const {json = false, all = false, needs = false, search} = values;
	if (search?.trim() === '') return failed(emptySearch);
	return launch({command: 'sessions', json, all, needs, search, ...where(values)});
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
	return launch({command: 'serve', unit: values.unit === true, idle});
}

function verify([id, ...rest]: readonly string[], values: Values): Parsed {
	if (isMissing(id) || rest.length > 0) return failed(needsOneId('verify'));
	if (namesBundle(id)) return launch({command: 'verifyBundle', file: id, ...where(values)});
	return launch({command: 'verify', id, ...(values.requests === true && {requests: true}), ...where(values)});
}

function replay([source, ...rest]: readonly string[], {at, speed, ...values}: Values): Parsed {
	if (isMissing(source) || rest.length > 0) return failed(needsOneId('replay'));
	const rate = limitOf(speed, /^(?=.*[1-9])\d{1,4}(?:\.\d{1,3})?$/);
	if (rate === 'wrong') return failed(badSpeed);
	const parsed = conversation(values, '');
	if (!parsed.ok || parsed.launch.command !== 'chat') return parsed;
	const {launch: start} = parsed;
	const isBundle = namesBundle(source);
	return launch({
		command: 'replay',
		source,
		isBundle,
		start,
		...(at && {at}),
		speed: rate,
	});
}

function repair([id, ...rest]: readonly string[], values: Values): Parsed {
	if (isMissing(id) || rest.length > 0) return failed(needsOneId('repair'));
	return launch({command: 'repair', id, ...where(values)});
}

function exported([id, ...rest]: readonly string[], values: Values): Parsed {
	if (isMissing(id) || rest.length > 0) return failed(needsOneId('export'));
	const {format = values.bundle === true ? 'bundle' : 'md', to, exact = false, force = false} = values;
	if (!isExportFormat(format)) return failed(notOneOf('--format', format, exportFormats));
	if (values.bundle === true && format !== 'bundle') return failed(bundleOrFormat);
	if (format === 'bundle' && to === undefined) return failed(bundleNeedsTo);
	return launch({command: 'export', id, format, to, exact, force, ...where(values)});
}

function imported([file, ...rest]: readonly string[], values: Values): Parsed {
	return isMissing(file) || rest.length > 0
		? failed(needsOneFile)
		: launch({command: 'import', file, ...where(values)});
}

function deleted([id, ...rest]: readonly string[], values: Values): Parsed {
	return isMissing(id) || rest.length > 0
		? failed(needsOneId('delete'))
		: launch({command: 'delete', id, ...where(values)});
}

function trash(words: readonly string[], {restore, empty = false, json = false}: Values): Parsed {
	if (words.length > 0) return failed(noArguments('trash', words));
	if (restore !== undefined && (empty || restore.trim() === '')) return failed(restoreOrEmpty);
	return launch({command: 'trash', empty, json, restore});
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

function config(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('config', words));
	return launch({command: 'config', json: values.json === true, ...where(values)});
}

/** A key never comes from the arguments, and the sentence about a mistake does not repeat them. */
function login(command: 'login' | 'logout'): Subcommand {
	return ([provider, ...rest], values) =>
		isMissing(provider) || rest.length > 0
			? failed(needsProvider(command))
			: launch({command, provider, ...where(values)});
}

function mcp(words: readonly string[], values: Values): Parsed {
	const read = readMcp(words, values, startOf(values, undefined, undefined));
	return read.ok ? launch({command: 'mcp', action: read.action}) : read;
}

function doctor(words: readonly string[], values: Values): Parsed {
	if (words.length > 0) return failed(noArguments('doctor', words));
	return launch({
		command: 'doctor',
		json: values.json === true,
		model: values.model,
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
	const isForPrint = [format, values['input-format'], values['json-schema']].some(value => value !== undefined);
	if (values.print !== true)
		return !isForPrint
			? launch({command: 'chat', prompt, ...screenOptions(values), ...start})
			: failed(formatNeedsPrint);
	return printed(values, prompt, start);
}

function printed(values: Values, prompt: string, start: Start): Parsed {
	const {'output-format': format, 'input-format': input = 'text', 'json-schema': schema} = values;
	if (start.session.kind === 'pick') return failed(printNeedsId);
	if (format !== undefined && !isOutputFormat(format))
		return failed(notOneOf('--output-format', format, outputFormats));
	if (!inputFormats.some(one => one === input)) return failed(notOneOf('--input-format', input, inputFormats));
	const isStream = input === 'stream-json';
	if (isStream && (format !== 'stream-json' || schema !== undefined)) return failed(streamNeedsStream);
	return launch({
		command: 'print',
		prompt,
		format: format ?? 'text',
		schema,
		...(isStream && {isStream}),
		...start,
	});
}

function limitOf(text: string | undefined, form: RegExp): number | 'wrong' | undefined {
	if (text === undefined) return undefined;
	return form.test(text) ? Number(text) : 'wrong';
}

function misplacedOption(values: Values): string | undefined {
	if (values.continue === true && values.resume !== undefined) return resumeOrContinue;
	if (values.json === true || values.all === true) return noListOptions;
	if (values.needs === true) return onlyWith('--needs', 'sessions');
	if (values.search !== undefined) return onlyWith('--search', 'sessions');
	if (values.stdio === true) return onlyWith('--stdio', 'attach');
	if (values.unit === true) return onlyWith('--unit', 'serve');
	if (values.idle !== undefined) return onlyWith('--idle', 'serve');
	if (values.run === true) return onlyWith('--run', 'notify');
	const isExport =
		[values.format, values.to, values.bundle].some(value => value !== undefined) ||
		values.exact === true ||
		values.force === true;
	if (values.write === true || values.project === true || values.env !== undefined || values.header !== undefined)
		return onlyWith('--write, --project, --env and --header', 'mcp');
	if (values['no-browser'] === true) return onlyWith('--no-browser', 'mcp login');
	if (values.restore !== undefined || values.empty === true) return onlyWith('--restore and --empty', 'trash');
	if (isExport) return onlyWith('--format, --bundle, --to, --exact and --force', 'export');
	if (values.at !== undefined || values.speed !== undefined) return onlyWith('--at and --speed', 'replay');
	if (values.request === true) return onlyWith('--request', 'context');
	return values.requests === true ? onlyWith('--requests', 'verify') : undefined;
}

function startOf(values: Values, approval: ApprovalMode | undefined, effort: Effort | undefined): Start {
	return {
		session: sessionOf(values),
		readOnly: values['read-only'] === true,
		...(values.writable === true && {writable: true}),
		addDirs: values['add-dir'] ?? [],
		...(values.fork === true && {fork: true}),
		...(values.trust === true && {trust: true}),
		...(values['no-confine'] === true && {noConfine: true}),
		approval,
		model: values.model,
		effort,
		options: values.option,
		allow: values.allow,
		deny: values.deny,
		systemPromptFile: values['system-prompt-file'],
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

function completionsOf([shell = '', ...rest]: readonly string[]): Parsed {
	const known = shells.find(one => one === shell);
	if (known === undefined || rest.length > 0) return failed(notOneOf('inkpod completions', shell, shells));
	return launch({command: 'completions', shell: known});
}

function isExportFormat(text: string): text is ExportFormat {
	return exportFormats.some(format => format === text);
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

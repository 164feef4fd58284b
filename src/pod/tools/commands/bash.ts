import {en, t} from '../../../language/index.ts';
import {z} from 'zod';
import {
	defineTool,
	elapsed,
	moment,
	type Clock,
	type Tool,
	type ToolCallContext,
	type ToolOutput,
	type ToolPreview,
} from '../../../worker/index.ts';
import type {Confinement, Launch, Way} from '../../permissions/confine/confinement.ts';
import {refusalOutput, type Refusal} from '../../permissions/approval/refusal.ts';
import type {Trial} from '../../permissions/approval/trial.ts';
import type {Network} from '../../permissions/confine/settings.ts';
import {confineTexts} from '../../permissions/confine/texts.ts';
import {bashOf, childEnv} from '../../ground/env/child-env.ts';
import type {Background, Begun} from '../processes/background.ts';
import type {Capture} from '../processes/capture.ts';
import {exitText} from '../processes/capture.ts';
import {isFileId, openOutput, type OutputFile} from '../processes/output-file.ts';
import {startCommand, type CommandEnd, type CommandOptions} from '../processes/start-command.ts';
import type {Env} from '../../ground/env/env.ts';
import type {ToolDetails} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {closed} from '../../ground/text/one-line.ts';
import {captureFor, commandResult, detailsOf} from './command-result.ts';
import {createdNotes, watchCreated} from './created-notes.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import {effectsOf, settle, type Again, type ConfineTalk, type Settled} from './settle.ts';
import {bashFacts, bashStopFacts, readFileFacts} from '../../protocol/tool-definitions.ts';

export type BashOptions = {
	readonly scope: Pick<Scope, 'pwd'>;
	/** The environment of the program. A command inherits it without model API keys. */
	readonly env: Env;
	readonly clock: Clock;
	readonly maxOutputBytes: number;
	/** The maximum size of a file that `read_file` reads. */
	readonly maxScanBytes: number;
	/** The folder for outputs. The folder is created on first use. */
	readonly outputDir: string;
	/** The function that is called when an output file is kept. It lets the model read the folder. */
	readonly onKept: () => Promise<void>;
	readonly background: Background;
	/** Confines the commands. If it is absent, commands are not confined. */
	readonly confine?: BashConfinement;
};

/** How the tool confines its commands. */
export type BashConfinement = Pick<
	Confinement,
	'createdSince' | 'describe' | 'launch' | 'networkFor' | 'missing' | 'mode'
> &
	ConfineTalk & {
		/** Tells whether the user approved exactly this call. `id` is the id of the call's item. */
		readonly isAsked: (id: string) => boolean;
		/** Returns the trial of a command that nobody has approved. `id` is the id of the call's item. */
		readonly trialOf: (id: string) => Trial | undefined;
	};

/**
Creates the tool that runs a command. Its result is an error unless the command ended by itself with exit code 0.
`details.command` describes the end of the command. An output that is incomplete in the result, or not text, is kept in
a file. The result names that file. After an abort the result is the output so far. By then the processes have ended,
and the file stays until the result is in history.
*/
export function bashTool(options: BashOptions): Tool {
	const texts = bashFacts.arguments;
	return defineTool({
		...bashFacts,
		input: z.object({
			command: z.string().min(1),
			timeout: z.number().positive().max(maxSeconds).optional().describe(texts.timeout),
			background: z.boolean().optional().describe(texts.background),
			wake: z.boolean().optional().describe(texts.wake),
		}),
		preview: async ({command, background = false, wake = false}) => ({
			title: background ? backgroundTitle(wake) : t`Run this command?`,
			detail: command,
			shows: 'command',
			...(await confinedPreview(options)),
		}),
		async execute(args, call) {
			const {confine} = options;
			const network = () => confine?.networkFor(confine.isAsked(call.id)) ?? 'open';
			if (args.background === true) return startInBackground(args, call, network(), options);
			const trial = confine?.trialOf(call.id);
			const tried = trial && (await run(args, call, 'none', options, trial));
			if (tried === undefined || tried.again === 'approved') return runAndAsk(args, call, network(), options);
			return tried.again === undefined ? tried.result : runAgain(args, call, tried.again, options);
		},
	});
}

/**
Returns a note about what the command can reach after the user's approval, or the reason why inkpod would refuse the
command.
*/
async function confinedPreview({confine}: BashOptions): Promise<Pick<ToolPreview, 'note' | 'fails'>> {
	if (confine === undefined || confine.mode === 'off') return {};
	const why = confine.mode === 'require' ? await confine.missing() : undefined;
	if (why !== undefined) return {fails: confineTexts.required(why)};
	return {note: await confine.describe(confine.networkFor(true))};
}

/** Runs a command. If the command has probably failed because of confinement, the user can let it run again. */
async function runAndAsk(
	args: Arguments,
	call: ToolCallContext,
	network: Network,
	options: BashOptions,
): Promise<ToolOutput> {
	const first = await run(args, call, network, options);
	return first.again === undefined ? first.result : runAgain(args, call, first.again, options);
}

async function runAgain(
	args: Arguments,
	call: ToolCallContext,
	again: Again,
	options: BashOptions,
): Promise<ToolOutput> {
	const isOpen = again === 'network';
	const {result} = await run(args, call, isOpen ? 'open' : undefined, options);
	const note = isOpen ? confineTexts.ranWithNetwork : confineTexts.ranUnconfined;
	return {...result, content: `${note}\n${result.content}`};
}

/** Creates the tool that stops a background command. */
export function bashStopTool({background}: Pick<BashOptions, 'background'>): Tool {
	return defineTool({
		...bashStopFacts,
		input: z.object({id: z.string().min(1).max(64)}),
		async execute({id}) {
			const ended = await background.stop(id, 'model');
			if (ended === undefined)
				return errorOutput(en`No command ${id} runs in the background. ${othersRunning(background)}`);
			return {
				summary: exitText(ended.end),
				content: ended.text,
				details: detailsOf(ended.end, ended.bytes, {file: ended.file, background: true}),
			};
		},
	});
}

const toldAtOnce = en`You will be told when it ends, and a turn begins if none is running;`;
const toldLater = en`You will be told when it ends, in the turn that runs then or in the next one;`;

const defaultSeconds = 120;
const maxSeconds = 600;

type Arguments = {
	readonly command: string;
	readonly timeout?: number | undefined;
	readonly wake?: boolean | undefined;
};

/** A turn that begins without the user sends requests, so the question also asks about this turn. */
function backgroundTitle(wake: boolean): string {
	const title = t`Run this command in the background`;
	return wake ? t`${title}, and begin a turn when it ends?` : `${title}?`;
}

async function startInBackground(
	{command, timeout, wake = false}: Arguments,
	{id: call}: ToolCallContext,
	network: Network,
	{scope, env, background, onKept, confine}: BashOptions,
): Promise<ToolOutput> {
	let present: Launch['present'];
	const started = await background.start(
		command,
		{
			shell: bashOf(env),
			...launchIn(confine, network, {way: 'direct', onLaunch: ({present: found}) => (present = found)}),
			watch: () => present && confine && watchCreated(present, confine, scope.pwd),
			cwd: scope.pwd,
			env: commandEnv(env),
			timeoutMs: timeout === undefined ? undefined : timeout * 1000,
			wakes: wake,
		},
		call,
	);
	if (!started.ok) return errorOutput(started.sentence);
	const {id, file} = started;
	await onKept();
	return {
		summary: en`running in background (${id})`,
		content: en`The command runs in the background as ${id}. ${wake ? toldAtOnce : toldLater}
				${bashStopFacts.name} stops it. Its output is in ${file}: read it with ${readFileFacts.name}.`,
		details: {command: {background: true, id, bytes: 0, file} satisfies ToolDetails['command']},
	};
}

async function run(
	{command, timeout = defaultSeconds}: Arguments,
	call: ToolCallContext,
	network: Network | undefined,
	options: BashOptions,
	trial?: Trial,
): Promise<Run> {
	const {id, signal, progress} = call;
	const {scope, env, clock, maxOutputBytes, outputDir, confine} = options;
	const confined = network !== undefined && (await confine?.missing()) === undefined ? network : undefined;
	const opened = await openOutput(outputDir, isFileId(id) ? id : clock.id());
	if (!opened.ok) return {result: errorOutput(opened.sentence)};
	const {output} = opened;
	const capture = captureFor(output, maxOutputBytes);
	const abort = new AbortController();
	const moved = new AbortController();
	const stop = () => abort.abort(signal.reason);
	signal.addEventListener('abort', stop);
	if (signal.aborted) stop();
	const shown = progressOf(capture, progress);
	const since = moment(clock);
	let ms: number | undefined;
	let launch: Partial<Launch> = {};
	let settled: Settled = {notes: []};
	try {
		const started = await startCommand(command, {
			shell: bashOf(env),
			...(network !== undefined &&
				launchIn(confine, network, {
					way: trial === undefined ? 'layered' : 'trial',
					onLaunch: made => (launch = made),
				})),
			cwd: scope.pwd,
			env: commandEnv(env),
			output,
			signal: abort.signal,
			timeoutMs: timeout * 1000,
			untimed: moved.signal,
			onOutput(bytes) {
				if (!moved.signal.aborted) shown(bytes);
			},
			async settle(end, code) {
				if (confine === undefined || confined === undefined) return;
				ms = elapsed(clock, since);
				const {cell} = launch;
				const isAwaited = !moved.signal.aborted;
				settled = await settle(end, code, {
					...{cell, network: confined, output, call, confine, isAwaited},
					networkIfApproved: confine.networkFor(true),
					trial: trial && {...trial, command, ms, mayRunUnconfined: confine.mode !== 'require'},
				});
			},
		});
		if (!started.ok) {
			await launch.cell?.discard();
			await output.remove();
			signal.throwIfAborted();
			return {result: errorOutput(started.sentence)};
		}
		const end = await endOrMoved(started.ended, options.background);
		if (end === 'moved') {
			signal.removeEventListener('abort', stop);
			moved.abort();
			const watch = {stop: async () => settled.notes};
			const begun = {ended: started.ended, output, abort, watch};
			return {result: await movedResult({command, id, capture, begun}, options)};
		}
		return await resultOf({command, capture, output, end, ms, settled, launch, network, confined}, options);
	} finally {
		signal.removeEventListener('abort', stop);
		if (!moved.signal.aborted) await output.close();
	}
}

type Ended = Parameters<typeof commandResult>[0] & {
	readonly command: string;
	readonly output: OutputFile;
	/** How long a confined command ran, without the cards that followed. */
	readonly ms: number | undefined;
	readonly settled: Settled;
	readonly launch: Partial<Launch>;
	readonly network: Network | undefined;
	/** The network of the command if it was confined. */
	readonly confined: Network | undefined;
};

async function resultOf(ended: Omit<Ended, 'notes' | 'facts'>, options: BashOptions): Promise<Run> {
	const {command, output, ms, settled, launch, network, confined} = ended;
	const {again, refusal, outcome} = settled;
	if (again !== undefined || (refusal !== undefined && outcome === undefined)) await output.remove();
	if (again !== undefined) return {result: errorOutput(''), again};
	if (refusal !== undefined && outcome === undefined)
		return {result: refusalOutput(bashFacts.name, refusal, command)};
	const {confine, scope} = options;
	const notes = [...settled.notes, ...(await createdNotes(launch.present, confine, scope.pwd))];
	const facts = {...wallsOf(confine, network, confined), ...effectsOf(settled)};
	const result = {...(await commandResult({...ended, notes, facts}, options)), ms};
	return {result: refusal?.type === 'unattended' ? asDenied(result, refusal, command) : result};
}

/** Returns the result of a command whose changes nobody could approve. It counts as denied. */
function asDenied(result: ToolOutput, refusal: Refusal, command: string): ToolOutput {
	const {details} = refusalOutput(bashFacts.name, refusal, command);
	return {...result, isError: true, details: {...result.details, ...details}};
}

/** Returns the facts about confinement for the record. Without confinement, there are none. */
function wallsOf(confine: unknown, network: Network | undefined, confined: Network | undefined) {
	if (confine === undefined) return {};
	return {...(confined && {confined}), ...(network === undefined && {unconfined: true})};
}

/** `again`: the user lets the command run again, and this result is discarded. */
type Run = {readonly result: ToolOutput; readonly again?: Again};

function launchIn(
	confine: BashConfinement | undefined,
	network: Network,
	{way, onLaunch}: {readonly way: Way; readonly onLaunch?: (launch: Launch) => void},
): Pick<CommandOptions, 'launch'> {
	if (confine === undefined) return {};
	return {
		async launch(shell, command, env) {
			const launched = await confine.launch(shell, command, env, network, way);
			if (launched.ok) onLaunch?.(launched.launch);
			return launched;
		},
	};
}

async function endOrMoved(ended: Promise<CommandEnd>, {foreground}: Background): Promise<CommandEnd | 'moved'> {
	const {moved, done} = foreground.add();
	return Promise.race([ended, moved]).finally(done);
}

type Moved = {readonly command: string; readonly id: string; readonly capture: Capture; readonly begun: Begun};

/** Returns the result of a command that the user has moved to the background. */
async function movedResult({command, id: call, capture, begun}: Moved, options: BashOptions): Promise<ToolOutput> {
	const {path: file} = begun.output;
	const id = options.background.adopt(command, begun, call);
	if (id === undefined) {
		begun.abort.abort();
		await begun.ended;
		await begun.output.close();
		return errorOutput(en`The command was stopped: the session is closed.`);
	}
	await options.onKept();
	const note = en`[The user moved the command to the background as ${id}, where it continues without a time limit.
			${toldLater}
			${bashStopFacts.name} stops it. Its output is in ${file}: read it with ${readFileFacts.name}.]`;
	const {text, bytes} = capture.end();
	return {
		summary: en`moved to background (${id})`,
		content: `${text === '' ? '' : closed(text)}${note}`,
		details: {command: {background: true, id, bytes, file} satisfies ToolDetails['command']},
	};
}

/** Shows the beginning of a growing output, up to the limit of a result, with a note that there is more. */
function progressOf(capture: Capture, progress: (text: string) => void): (bytes: Uint8Array) => void {
	let isNoted = false;
	return bytes => {
		const text = capture.add(bytes);
		if (text !== '') progress(text);
		if (isNoted || !capture.isFull()) return;
		isNoted = true;
		progress(`\n${en`[...the command is still writing; the end of its output follows when it ends]`}\n`);
	};
}

/** Returns an environment that makes programs write plain text, without a pager and without questions. */
function commandEnv(env: Env): Env {
	return {...childEnv(env), TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0'};
}

function othersRunning(background: Background): string {
	const ids = background.running().map(({id}) => id);
	return ids.length === 0 ? en`No other command does.` : en`These commands do: ${ids.join(', ')}.`;
}

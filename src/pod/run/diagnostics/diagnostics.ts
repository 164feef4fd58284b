import {relative} from 'node:path';
import {stamp, type Clock, type Interceptor, type Message} from '../../../worker/index.ts';
import {matchesText} from '../../permissions/approval/text-glob.ts';
import type {Alert} from '../../protocol.ts';
import {childEnv, shellOf} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import {createCapture} from '../../tools/processes/capture.ts';
import {exitText} from '../../tools/processes/capture.ts';
import {openScratch} from '../../tools/processes/output-file.ts';
import {startCommand, type CommandOptions} from '../../tools/processes/start-command.ts';
import {en} from '../../../language/index.ts';

/** Maps globs of files, relative to the working directory, to the commands that check these files. */
type DiagnosticCommands = Readonly<Record<string, string>>;

type DiagnosticsOptions = CheckPlace & {
	readonly commands: DiagnosticCommands;
	readonly clock: Clock;
	readonly onAlert: (alert: Alert) => void;
};

/** Runs the user's commands after edits, and adds new lines of their output to the context. */
type Diagnostics = {
	/** `signal` is the signal of the run. It also stops the commands. */
	interceptor(signal: AbortSignal): Pick<Interceptor, 'preToolCall' | 'postToolCall' | 'preRequest'>;
};

export function createDiagnostics(options: DiagnosticsOptions): Diagnostics {
	const {commands, cwd, onAlert} = options;
	/** The last output lines of each command. A command without an entry has not run yet. */
	const last = new Map<string, readonly string[]>();
	const due = new Set<string>();

	const commandsFor = (file: string) =>
		Object.entries(commands).flatMap(([glob, command]) => (isMatch(glob, relative(cwd, file)) ? [command] : []));

	/** Runs a command. Returns the lines that it did not report in its last run. */
	async function check(command: string, signal: AbortSignal): Promise<readonly string[]> {
		const checked = await runCheck(command, options, signal);
		if (!checked.ok) {
			if (checked.reason !== undefined)
				onAlert({level: 'warn', text: failedText(command, checked.reason.replace(/\.$/, ''))});
			return [];
		}
		const before = last.get(command) ?? [];
		last.set(command, checked.lines);
		return newLines(before, checked.lines);
	}

	return {
		interceptor(signal) {
			if (Object.keys(commands).length === 0) return {};
			const editing = new Map<string, string>();
			return {
				async preToolCall({callId}, {effect, target}) {
					if (effect !== 'write' || target === undefined) return {type: 'continue'};
					editing.set(callId, target);
					// Runs the command before the first edit, so that problems that already exist do not count as new.
					for (const command of commandsFor(target)) if (!last.has(command)) await check(command, signal);
					return {type: 'continue'};
				},
				postToolCall({callId}, {isError}) {
					const file = editing.get(callId);
					if (file !== undefined && !isError) for (const command of commandsFor(file)) due.add(command);
					return {type: 'continue'};
				},
				async preRequest() {
					const items: Message[] = [];
					for (const command of due) {
						const found = await check(command, signal);
						if (signal.aborted) return {type: 'pause'};
						due.delete(command);
						if (found.length > 0) items.push(itemOf(command, found, options.clock));
					}
					return items.length === 0 ? {type: 'continue'} : {type: 'continueWith', items};
				},
			};
		},
	};
}

function isMatch(glob: string, path: string): boolean {
	return matchesText(glob.replaceAll('**/', '*'), path);
}

/**
Returns the lines that are not in the earlier output. The comparison ignores numbers, because an edit changes line
numbers.
*/
function newLines(before: readonly string[], now: readonly string[]): readonly string[] {
	const known = new Map<string, number>();
	for (const line of before) known.set(formOf(line), (known.get(formOf(line)) ?? 0) + 1);
	return now.filter(line => {
		const left = known.get(formOf(line)) ?? 0;
		known.set(formOf(line), left - 1);
		return left <= 0;
	});
}

function formOf(line: string): string {
	return line.replaceAll(/\d+/g, '0');
}

const maxLines = 50;

const maxLineLength = 500;

function itemOf(command: string, found: readonly string[], clock: Clock): Message {
	const shown = found.slice(0, maxLines).map(line => line.slice(0, maxLineLength));
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: diagnosticsText(command, shown, found.length - shown.length),
		origin: {kind: 'diagnostics', command, findings: found.length},
	});
}

type CheckPlace = {
	readonly cwd: string;
	readonly env: Env;
	/** Confines the command. */
	readonly launch?: CommandOptions['launch'];
};

/**
The lines of a command's output, or the reason why there is no output. `reason` is `undefined` if the run was stopped.
*/
type Checked =
	| {readonly ok: true; readonly lines: readonly string[]}
	| {readonly ok: false; readonly reason: string | undefined};

/**
Runs a command with the user's shell and without model API keys. The exit code does not matter, because linters exit
with an error if they find problems.
*/
async function runCheck(command: string, {cwd, env, launch}: CheckPlace, signal: AbortSignal): Promise<Checked> {
	const opened = await openScratch();
	if (!opened.ok) return {ok: false, reason: opened.sentence};
	const {output} = opened;
	const capture = createCapture(maxBytes);
	try {
		const started = await startCommand(command, {
			shell: shellOf(env),
			launch,
			cwd,
			env: childEnv(env),
			output,
			signal,
			timeoutMs,
			onOutput: bytes => void capture.add(bytes),
		});
		if (!started.ok) return {ok: false, reason: started.reason === 'aborted' ? undefined : started.sentence};
		const end = await started.ended;
		if (end.type === 'stopped') return {ok: false, reason: undefined};
		if (end.type !== 'exit') return {ok: false, reason: exitText(end)};
		const {text} = capture.end();
		return {ok: true, lines: text.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.trimEnd()]))};
	} finally {
		await output.close();
	}
}

const timeoutMs = 60_000;

const maxBytes = 1024 * 1024;

/** Returns the text for the model. */
function diagnosticsText(command: string, findings: readonly string[], left: number): string {
	const more = left === 0 ? [] : [en`[...truncated, ${left} more lines]`];
	return [`[Diagnostics: ${command.replaceAll(/\s+/g, ' ')}]`, ...findings, ...more].join('\n');
}

/** `reason`: why the command has no result, such as a timeout. */
function failedText(command: string, reason: string): string {
	return en`Diagnostics of "${command}" are missing: ${reason}.`;
}

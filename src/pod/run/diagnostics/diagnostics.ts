import {relative} from 'node:path';
import {stamp, type Clock, type Interceptor, type Message} from '../../../worker/index.ts';
import {matchesText} from '../../permissions/approval/text-glob.ts';
import type {Alert} from '../../protocol.ts';
import {runCheck, type CheckPlace} from './run-check.ts';
import {diagnosticsText, failedText} from './texts.ts';

/** The commands by the globs of the files that they check, relative to the working directory. */
type DiagnosticCommands = Readonly<Record<string, string>>;

type DiagnosticsOptions = CheckPlace & {
	readonly commands: DiagnosticCommands;
	readonly clock: Clock;
	readonly onAlert: (alert: Alert) => void;
};

/** Runs the user's commands after edits, and adds what they newly report to the context. */
export type Diagnostics = {
	/** `signal` is the signal of the run: stopping the run stops the commands. */
	interceptor(signal: AbortSignal): Pick<Interceptor, 'preToolCall' | 'postToolCall' | 'preRequest'>;
};

export function createDiagnostics(options: DiagnosticsOptions): Diagnostics {
	const {commands, cwd, onAlert} = options;
	/** The lines that each command reported last. A command without an entry has not run yet. */
	const last = new Map<string, readonly string[]>();
	const due = new Set<string>();

	const commandsFor = (file: string) =>
		Object.entries(commands).flatMap(([glob, command]) => (isMatch(glob, relative(cwd, file)) ? [command] : []));

	/** Returns the lines that a command reports now and did not report before. */
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
					// What is wrong before the first edit is not new after it.
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

/** Returns the lines that were not there before. An edit moves lines, so numbers do not count. */
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

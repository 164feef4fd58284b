import {en} from '../../../language/index.ts';
import type {Clock, Delta, Message} from '../../../worker/index.ts';
import {childEnv, shellOf} from '../../ground/env/child-env.ts';
import {commandOutput, commandStart, commandText, type CommandItem} from '../../ground/history/shell-item.ts';
import {createCapture, type CapturedOutput} from './capture.ts';
import {exitText} from './capture.ts';
import {openScratch} from './output-file.ts';
import {startCommand, type CommandEnd, type CommandOptions as StartOptions} from './start-command.ts';
import type {Env} from '../../ground/env/env.ts';
import type {OriginOf, Refusal} from '../../protocol.ts';

export type CommandOptions = {
	readonly cwd: string;
	/**
	The environment of the command. inkpod removes model API keys from it. SHELL runs the command if it is an
	absolute path.
	*/
	readonly env: Env;
	readonly clock: Clock;
	/** The maximum number of bytes of the output that is kept. */
	readonly maxBytes: number;
	/** Stops the command with every process that it started. */
	readonly signal: AbortSignal;
	/** The command's id in the queue. */
	readonly id?: string | undefined;
	/** Saves the item that records the start of the command. The command runs only after this promise has resolved. */
	readonly onStart: (item: Message) => Promise<void>;
	/** Confines the command. */
	readonly launch?: StartOptions['launch'];
	/** Receives the new parts of the output's item while the output grows. Each part has the later id of the item. */
	readonly onDelta: (delta: Delta) => void;
};

/** `item` contains the output. It is committed even if the command failed or was stopped. */
type RanCommand =
	| {readonly ok: true; readonly item: Message}
	| {readonly ok: false; readonly code: Extract<Refusal, 'aborted' | 'io'>; readonly sentence: string};

/**
Runs a user's command with the user's shell. If `onStart` rejects, this function rejects with the same error, and the
command has not run.
*/
export async function runCommand(
	command: string,
	{cwd, env, clock, maxBytes, signal, id, launch, onStart, onDelta}: CommandOptions,
): Promise<RanCommand> {
	const opened = await openScratch();
	if (!opened.ok) return {ok: false, code: 'io', sentence: opened.sentence};
	const {output} = opened;
	const capture = createCapture(maxBytes);
	const start = commandStart(command, clock, id);
	const begun = commandOutput(start, clock);
	let isSaved = false;
	let isShown = false;
	const onOutput = (bytes: Uint8Array) => {
		const text = capture.add(bytes);
		if (text === '') return;
		onDelta({id: begun.id, text, ...(!isShown && {begin: begun})});
		isShown = true;
	};
	try {
		const started = await startCommand(command, {
			shell: shellOf(env),
			launch,
			cwd,
			env: childEnv(env),
			output,
			signal,
			async beforeStart() {
				await onStart(start);
				isSaved = true;
			},
			onOutput,
		});
		if (!started.ok)
			return isSaved
				? {ok: true, item: notStarted(begun, started.sentence)}
				: {ok: false, code: started.reason, sentence: started.sentence};
		const end = await started.ended;
		return {ok: true, item: settled(begun, capture.end(), end)};
	} finally {
		await output.close();
	}
}

/** Returns the output item for a command that did not start, although its start item is saved. */
function notStarted(begun: CommandItem, sentence: string): Message {
	return {...begun, text: commandText(begun.origin.command, '', sentence)};
}

function settled(begun: CommandItem, {text, bytes, totalBytes, truncated}: CapturedOutput, end: CommandEnd): Message {
	const origin: OriginOf<'shell'> = {
		...begun.origin,
		...(end.type === 'exit' && {exitCode: end.code}),
		bytes,
		totalBytes,
		truncated,
	};
	const ending = end.type === 'stopped' ? en`stopped by the user` : exitText(end);
	return {...begun, text: commandText(begun.origin.command, text, ending), origin};
}

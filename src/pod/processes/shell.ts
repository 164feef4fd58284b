import {stamp, type Clock, type Delta, type Message} from '../../worker/index.ts';
import {childEnv, shellOf} from '../env/child-env.ts';
import {closed, createCapture, type CapturedOutput} from './capture.ts';
import {exitText} from './exit-text.ts';
import {openScratch} from './output-file.ts';
import {startCommand, type CommandEnd} from './start-command.ts';
import type {Env} from '../env/env.ts';
import type {OriginOf, Refusal} from '../protocol.ts';

export type CommandOptions = {
	readonly cwd: string;
	/**
	The environment. The command gets it without the keys of models. SHELL runs the command if it is an absolute path.
	*/
	readonly env: Env;
	readonly clock: Clock;
	/** The maximum bytes of kept output. */
	readonly maxBytes: number;
	/** Stops the command with every process that it started. */
	readonly signal: AbortSignal;
	/** Streams the growing item under its later id. */
	readonly onDelta: (delta: Delta) => void;
};

/** `item` is committed even if the command failed or was stopped. */
export type RanCommand =
	| {readonly ok: true; readonly item: Message}
	| {readonly ok: false; readonly code: Extract<Refusal, 'aborted' | 'io'>; readonly sentence: string};

/** Runs a user's command with the user's shell. */
export async function runCommand(
	command: string,
	{cwd, env, clock, maxBytes, signal, onDelta}: CommandOptions,
): Promise<RanCommand> {
	const opened = await openScratch();
	if (!opened.ok) return {ok: false, code: 'io', sentence: opened.sentence};
	const {output} = opened;
	const capture = createCapture(maxBytes);
	const begun = stamp(clock, {
		type: 'message',
		role: 'system',
		text: headerOf(command),
		origin: {kind: 'shell', command, bytes: 0, totalBytes: 0, truncated: false} satisfies OriginOf<'shell'>,
	});
	const onOutput = (bytes: Uint8Array) => {
		const text = capture.add(bytes);
		if (text !== '') onDelta({id: begun.id, text});
	};
	try {
		const started = await startCommand(command, {
			shell: shellOf(env),
			cwd,
			env: childEnv(env),
			output,
			signal,
			onStart: () => onDelta({id: begun.id, text: '', begin: begun}),
			onOutput,
		});
		if (!started.ok) return {ok: false, code: started.reason, sentence: started.sentence};
		const end = await started.ended;
		return {ok: true, item: settled(begun, command, capture.end(), end)};
	} finally {
		await output.close();
	}
}

function headerOf(command: string): string {
	return `[Shell: ${command}]\n`;
}

function settled(
	begun: Message,
	command: string,
	{text, bytes, totalBytes, truncated}: CapturedOutput,
	end: CommandEnd,
): Message {
	const origin: OriginOf<'shell'> = {
		kind: 'shell',
		command,
		...(end.type === 'exit' && {exitCode: end.code}),
		bytes,
		totalBytes,
		truncated,
	};
	return {
		...begun,
		text: `${headerOf(command)}${closed(text)}[${end.type === 'stopped' ? 'stopped by the person' : exitText(end)}]`,
		origin,
	};
}

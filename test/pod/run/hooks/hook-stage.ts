import type {HookConfig} from '../../../../src/pod/platform/hook-process.ts';
import {createPromptHook} from '../../../../src/pod/run/hooks/hooks.ts';
import type {HookVerdict, PromptHook} from '../../../../src/pod/references/submission/submission.ts';
import type {TempProject} from '../../../helpers/temp-project.ts';

export type Command = HookConfig['command'];

/** Returns a hook that runs code in Node. */
export const node = (code: string): Command => [process.execPath, '-e', code];
export const path = {PATH: process.env['PATH'], SHELL: '/bin/sh'};

export function hookOf(
	project: TempProject,
	commands: readonly Command[],
	{
		timeoutMs = 20_000,
		env = path,
	}: {readonly timeoutMs?: number; readonly env?: Readonly<Record<string, string | undefined>>} = {},
): PromptHook {
	return createPromptHook(
		commands.map(command => ({event: 'UserPromptSubmit', command, timeoutMs})),
		{cwd: project.dir, env, sessionId: 'S1'},
	);
}

export async function ask(
	project: TempProject,
	commands: readonly Command[],
	options: {
		readonly timeoutMs?: number;
		readonly env?: Readonly<Record<string, string | undefined>>;
		readonly signal?: AbortSignal;
		readonly text?: string;
	} = {},
): Promise<HookVerdict> {
	const text = options.text ?? 'hello';
	return hookOf(
		project,
		commands,
		options,
	)({text, segments: [{type: 'text', text}]}, options.signal ?? new AbortController().signal);
}

export const continued = {type: 'continue', alerts: []};
export const passed = (sentence: unknown) => ({type: 'continue', alerts: [{level: 'warn', text: sentence}]});
export const cancelled = (reason: unknown) => ({type: 'cancel', reason, alerts: []});

import {childEnv, shellOf} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import {createCapture} from '../../tools/processes/capture.ts';
import {exitText} from '../../tools/processes/exit-text.ts';
import {openScratch} from '../../tools/processes/output-file.ts';
import {startCommand, type CommandOptions} from '../../tools/processes/start-command.ts';

export type CheckPlace = {
	readonly cwd: string;
	readonly env: Env;
	/** Confines the command. */
	readonly launch?: CommandOptions['launch'];
};

/** The lines of a command's output. `stopped`: the run was stopped. */
type Checked =
	| {readonly ok: true; readonly lines: readonly string[]}
	| {readonly ok: false; readonly reason: string | undefined};

/** Runs a command with the user's shell and without model API keys. The exit code does not matter: linters use it. */
export async function runCheck(command: string, {cwd, env, launch}: CheckPlace, signal: AbortSignal): Promise<Checked> {
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

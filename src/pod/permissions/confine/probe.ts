import {openDescriptors, type DescriptorContents} from '../../platform/process-identity.ts';
import {findProgram} from '../../platform/programs.ts';
import {systemOf} from '../../platform/system.ts';
import type {Env} from '../../ground/env/env.ts';
import type {Unconfinable} from './texts.ts';

/** Whether commands can be confined here. `detail` is the message of the confinement program, on one line. */
export type Availability = Available | {readonly ok: false; readonly reason: Unconfinable; readonly detail: string};
export type Available =
	| {readonly ok: true; readonly program: string; readonly kind: 'bwrap'; readonly hasUserNamespace: boolean}
	| {readonly ok: true; readonly program: string; readonly kind: 'sandbox-exec'};

type ProbeOptions = {
	readonly platform?: NodeJS.Platform;
	/**
	Whether the mode is only the default. On macOS the user must choose confinement, because it was not tested there.
	*/
	readonly isDefault?: boolean;
};

/** Finds the confinement program outside of the project, and tries it. */
export async function probeConfinement(
	env: Env,
	pwd: string,
	{platform, isDefault = false}: ProbeOptions = {},
): Promise<Availability> {
	const {sandbox} = systemOf(platform);
	if (sandbox === undefined) return refused('unsupported');
	if (sandbox === 'sandbox-exec' && isDefault) return refused('untested');
	const program = findProgram(sandbox, env['PATH'], pwd);
	if (program === undefined) return refused('no_program');
	if (sandbox === 'sandbox-exec') return {ok: true, program, kind: sandbox};
	let detail = '';
	for (const hasUserNamespace of [true, false]) {
		const own = hasUserNamespace ? ['--unshare-user', '--disable-userns'] : [];
		const problem = await problemOf({file: program, args: [...own, ...trial]}, env);
		if (problem === undefined) return {ok: true, program, kind: 'bwrap', hasUserNamespace};
		detail = problem;
	}
	return {ok: false, reason: /permission|permitted|uid map|namespace/i.test(detail) ? 'forbidden' : 'failed', detail};
}

/** A program with arguments that run a command within walls. */
type Trial = {
	readonly file: string;
	readonly args: readonly string[];
	readonly descriptors?: readonly DescriptorContents[];
};

/** Runs an empty command within the walls of the project. */
export async function tryWalls(found: Available, trial: Trial, env: Env): Promise<Availability> {
	const detail = await problemOf(trial, env);
	return detail === undefined ? found : {ok: false, reason: 'failed', detail};
}

/** Runs a program. Returns the first line of its error output if it fails, and otherwise `undefined`. */
async function problemOf({file, args, descriptors = []}: Trial, env: Env): Promise<string | undefined> {
	using opened = openDescriptors(descriptors);
	const {execa} = await import('execa');
	const tried = await execa(file, args, {
		env: {PATH: env['PATH'] ?? ''},
		extendEnv: false,
		stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...opened.fds],
		reject: false,
		timeout: probeMs,
		maxBuffer: 4096,
	});
	if (tried.exitCode === 0) return undefined;
	return tried.stderr.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
}

function refused(reason: Unconfinable): Availability {
	return {ok: false, reason, detail: ''};
}

/** The arguments for the features that containers and security modules often forbid. */
const trial = [
	...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--cap-drop', 'ALL'],
	...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', '/bin/sh', '-c', ':'],
];
const probeMs = 5000;

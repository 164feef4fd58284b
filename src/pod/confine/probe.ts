import {execa} from 'execa';
import {findProgram} from '../processes/programs.ts';
import type {Env} from '../env/env.ts';
import type {Unconfinable} from './texts.ts';

/** Whether commands can be confined here. `detail` is the program's own message, on one line. */
export type Availability =
	| {readonly ok: true; readonly program: string; readonly kind: 'bwrap'; readonly hasUserNamespace: boolean}
	| {readonly ok: true; readonly program: string; readonly kind: 'sandbox-exec'}
	| {readonly ok: false; readonly reason: Unconfinable; readonly detail: string};

/** Finds the program outside of the project, and tries it. */
export async function probeConfinement(env: Env, pwd: string, platform = process.platform): Promise<Availability> {
	if (platform === 'darwin') {
		const program = findProgram('sandbox-exec', env['PATH'], pwd);
		return program === undefined ? refused('no_program') : {ok: true, program, kind: 'sandbox-exec'};
	}
	if (platform !== 'linux') return refused('unsupported');
	const program = findProgram('bwrap', env['PATH'], pwd);
	if (program === undefined) return refused('no_program');
	let detail = '';
	for (const hasUserNamespace of [true, false]) {
		const own = hasUserNamespace ? ['--unshare-user', '--disable-userns'] : [];
		const tried = await execa(program, [...own, ...trial], {
			env: {PATH: env['PATH'] ?? ''},
			extendEnv: false,
			stdin: 'ignore',
			reject: false,
			timeout: probeMs,
			maxBuffer: 4096,
		});
		if (tried.exitCode === 0) return {ok: true, program, kind: 'bwrap', hasUserNamespace};
		detail = tried.stderr.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
	}
	return {ok: false, reason: /permission|permitted|uid map|namespace/i.test(detail) ? 'forbidden' : 'failed', detail};
}

function refused(reason: Unconfinable): Availability {
	return {ok: false, reason, detail: ''};
}

/** The parts that containers and security modules forbid. */
const trial = [
	...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--cap-drop', 'ALL'],
	...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', '/bin/sh', '-c', ':'],
];
const probeMs = 5000;

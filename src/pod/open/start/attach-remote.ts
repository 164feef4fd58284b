import {setTimeout as wait} from 'node:timers/promises';
import type {AttachedPod} from '../../remote/attach/client.ts';
import {createReconnectingClient, type Reconnected} from '../../remote/attach/client-writer.ts';
import type {RemoteName} from '../../remote/attach/remote-name.ts';
import {connectOverSsh, type SshOptions} from '../../remote/attach/ssh.ts';
import {sshTexts} from '../../remote/attach/texts.ts';
import {childEnv} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import {findProgram} from '../../platform/programs.ts';
import type {Alert, PodClient} from '../../protocol.ts';
import type {OpenPod} from './local-pod.ts';
import {attachTexts} from './texts.ts';

type RemoteOpened = {readonly ok: true; readonly open: OpenPod} | {readonly ok: false; readonly sentence: string};

type RemoteOptions = {
	readonly env: Env;
	/** The directory of this terminal. inkpod does not use programs in this directory. */
	readonly cwd: string;
	/** Called with the text that ssh prints before the session is open. The text is untrusted. */
	readonly onText: (text: string) => void;
	readonly signal?: AbortSignal;
};

/**
Attaches to a session on another machine. inkpod treats that machine as hostile. This terminal never takes the session
over, and sends the other machine only the user's input.
*/
export async function attachRemote(
	remote: RemoteName,
	{env, cwd, onText, signal}: RemoteOptions,
): Promise<RemoteOpened> {
	const program = findProgram('ssh', env['PATH'], cwd);
	if (program === undefined) return {ok: false, sentence: sshTexts.noSsh};
	const ssh: SshOptions = {program, env: childEnv(env)};
	const connected = await connectOverSsh(remote, {...ssh, onText, ...(signal && {signal})});
	if (!connected.ok) return connected;
	const {host} = remote;
	const id = connected.pod.hello.session;
	const pod = createReconnectingClient(guarded(connected.pod, host), {
		alerts: [attachedAlert(host)],
		reconnect: async leaving => reconnect({host, id}, {...ssh, isQuiet: true, signal: leaving}),
	});
	return {
		ok: true,
		open: {
			pod,
			session: {id, dir: `/ssh-${host.replaceAll(/[^\w.-]/g, '-')}/${id}`},
			remote: host,
			isAttached: () => true,
			listen: async () => undefined,
		},
	};
}

async function reconnect(
	remote: RemoteName,
	options: SshOptions & {readonly signal: AbortSignal},
): Promise<Reconnected> {
	const until = performance.now() + patienceMs;
	for (let pause = 500; ; pause = Math.min(pause * 2, 5000)) {
		const connected = await connectOverSsh(remote, options);
		if (connected.ok)
			return {ok: true, pod: guarded(connected.pod, remote.host), alerts: [attachedAlert(remote.host)]};
		if (options.signal.aborted || performance.now() > until)
			return {ok: false, sentence: `${attachTexts.lost} ${connected.sentence}`};
		await wait(pause);
	}
}

/**
Returns a client that does not send private facts to the other machine: paths of dropped files, API keys, and text that
the user has not sent yet.
*/
function guarded(pod: AttachedPod, host: string): PodClient {
	return {
		...pod,
		preflight: async segments => ({segments: [...segments], refs: [], tokens: 0}),
		namedPath: async () => undefined,
		async send(method) {
			if (method.method !== 'login') return pod.send(method);
			return {accepted: false, code: 'key', sentence: attachTexts.noRemoteLogin(host)};
		},
	};
}

function attachedAlert(host: string): Alert {
	return {level: 'info', text: attachTexts.attachedTo(host)};
}

/** The number of milliseconds for which the terminal tries to reconnect. */
const patienceMs = 60_000;

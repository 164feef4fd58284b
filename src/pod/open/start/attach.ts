import type {AttachedPod} from '../../remote/attach/client.ts';
import {createReconnectingClient} from '../../remote/attach/reconnecting-client.ts';
import {socketFolder} from '../../platform/local-door.ts';
import type {Env} from '../../ground/env/env.ts';
import type {Alert, SessionInfo} from '../../protocol.ts';
import {idOf} from '../../disk/paths.ts';
import {connectOwner} from './connect-owner.ts';
import type {OpenPod} from './local-pod.ts';
import type {ChatOptions} from './options.ts';
import type {Plan} from './plan.ts';
import {succeed, type Seat} from './take-over.ts';
import {attachTexts} from './texts.ts';

export type Attached =
	| {readonly ok: true; readonly open: OpenPod; readonly warnings: readonly string[]}
	/** `absent`: no process responds for the session. */
	| {readonly ok: false; readonly absent: boolean; readonly sentence: string};

/** Attaches to the process that owns the plan's session. When that process ends, this process continues the session. */
export async function attachPlanned(
	plan: Plan,
	options: ChatOptions,
	env: Env,
	signal?: AbortSignal,
): Promise<Attached> {
	const folder = socketFolder(env);
	if (plan.session.kind === 'new' || folder === undefined)
		return {ok: false, absent: true, sentence: attachTexts.nobody};
	const {dir} = plan.session;
	const connected = await connectOwner(folder, dir, {signal});
	if (!connected.ok) return {ok: false, absent: connected.reason === 'absent', sentence: connected.sentence};
	const seat: Seat = {options, env, folder, dir, own: plan.scope, open: undefined, isLost: false};
	const info = watchSession(connected.pod);
	const pod = createReconnectingClient(connected.pod, {
		alerts: [attachedAlert(connected.pod)],
		async reconnect(signal) {
			const found = await succeed(seat, info, signal, attachedAlert);
			seat.isLost = !found.ok;
			return found;
		},
	});
	const open: OpenPod = {
		pod,
		session: {
			get dir() {
				return seat.dir;
			},
			get id() {
				return idOf(seat.dir);
			},
		},
		isAttached: () => seat.open === undefined && !seat.isLost,
		listen: async () => seat.open?.listen(),
	};
	return {ok: true, open, warnings: []};
}

/** Returns a function for the latest session of the snapshots. A snapshot is the first event. */
function watchSession(pod: AttachedPod): () => SessionInfo | undefined {
	let info: SessionInfo | undefined;
	pod.subscribe(event => {
		if (event.type === 'snapshot') info = event.session;
	});
	return () => info;
}

function attachedAlert({hello: {pid}}: AttachedPod): Alert {
	return {level: 'info', text: attachTexts.attached(pid)};
}

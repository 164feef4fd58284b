import {attachRemote, planStart} from '../../pod/index.ts';
import type {ChatLaunch} from '../start/launch.ts';
import {sanitize} from '../../text/sanitize.ts';
import type {ChatIo} from '../chat/chat-io.ts';
import type {SessionScreen} from '../chat/session-screen.ts';

export type RemoteScreen =
	| {readonly ok: true; readonly screen: SessionScreen}
	| {readonly ok: false; readonly sentence: string};

/**
Connects to a session on another machine before any screen opens, because ssh may ask for a password or show the key of
the host. The plan gives the screen its settings. The plan needs no model, because the session runs on the other
machine.
*/
export async function remoteScreen(launch: ChatLaunch, {env, stderr}: ChatIo): Promise<RemoteScreen> {
	const remote = launch.attach?.remote;
	if (remote === undefined) throw new Error('no remote session was named');
	const planned = await planStart({...launch, session: {kind: 'new'}, model: 'offline'}, env);
	if (!planned.ok) return planned;
	const {plan} = planned;
	const onText = (text: string) => void stderr.write(sanitize(text));
	const opened = await attachRemote(remote, {env, cwd: plan.scope.pwd, onText});
	if (!opened.ok) return opened;
	const {open} = opened;
	const session = {kind: 'stored', dir: open.session.dir} as const;
	return {ok: true, screen: {plan: {...plan, session}, open, prompt: '', draft: [], warnings: plan.warnings}};
}

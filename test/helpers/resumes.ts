import {PassThrough} from 'node:stream';
import {onTestFinished} from 'vitest';
import {initializeResponse} from '../../src/acp/initialize.ts';
import {createHost} from '../../src/cli/acp/serve-stdio.ts';
import {prepareSwitch} from '../../src/cli/chat/switch-session.ts';
import {openPod as openLibraryPod} from '../../src/library/open-pod.ts';
import type {Pod} from '../../src/library/types.ts';
import {connectPod} from '../../src/pod/remote/attach/client.ts';
import {socketPath} from '../../src/pod/remote/attach/socket-path.ts';
import type {Env} from '../../src/pod/ground/env/env.ts';
import type {Item, PodClient, Status} from '../../src/pod/protocol.ts';
import {createBackgroundHost} from '../../src/pod/open/serve/background-host.ts';
import {openPlanned} from '../../src/pod/open/start/open-planned.ts';
import type {ChatOptions} from '../../src/pod/open/start/options.ts';
import {planStart, type PlanOptions} from '../../src/pod/open/start/plan.ts';
import {succeed} from '../../src/pod/open/start/attach.ts';

/** A session that was closed, and the environment in which it is opened again. */
export type Stored = {readonly id: string; readonly dir: string; readonly cwd: string; readonly runtime: string};

/** A session that was opened again, or the sentence of the refusal. */
export type Again =
	| {
			readonly session: string;
			/** It is absent in the library, which has a client of its own. */
			readonly pod?: PodClient;
			readonly close: () => Promise<unknown>;
			readonly send: (text: string, choice: Choice) => Promise<Sent>;
	  }
	| {readonly refused: string};
export type Choice = 'send' | 'deny';

export type Flags = Partial<Pick<ChatOptions, 'model' | 'approval' | 'writable' | 'effort' | 'options'>>;

/** The ways to come back to a session, or to go on from it. */
export const ways = ['-c', '-r', '--fork', 'takeover', '/new', '/fork', 'serve', 'acp', 'library'] as const;
export type Way = (typeof ways)[number];

export const base: ChatOptions = {
	session: {kind: 'new'},
	readOnly: false,
	addDirs: [],
	noConfine: true,
	noSocket: true,
};

/** Opens a session with the options of a terminal. */
export async function openChat(options: ChatOptions, env: Env, more?: PlanOptions): Promise<Again> {
	const planned = await planStart(options, env, more);
	if (!planned.ok) return {refused: planned.sentence};
	const opened = await openPlanned(planned.plan, options, env);
	return opened.ok ? kept(opened.open.pod, opened.open.session.id) : {refused: opened.sentence};
}

/** Opens a stored session in one of the ways. `/new` and `/fork` open the stored session itself first. */
export async function openAgain(way: Way, stored: Stored, env: Env, flags: Flags = {}): Promise<Again> {
	const {id, dir, cwd} = stored;
	const options: ChatOptions = {...base, cwd, ...flags};
	switch (way) {
		case '-c':
			return openChat({...options, session: {kind: 'latest'}}, env);
		case '-r':
			return openChat({...options, session: {kind: 'id', id}}, env);
		case '--fork':
			return openChat({...options, session: {kind: 'id', id}, fork: true}, env);
		case '/new':
			return switchFrom(options, env, stored, {kind: 'new'});
		case '/fork':
			return switchFrom(options, env, stored, {kind: 'fork'});
		case 'takeover': {
			const planned = await planStart(options, env);
			if (!planned.ok) return {refused: planned.sentence};
			const own = planned.plan.scope;
			const seat = {options, env, folder: '', dir, own, open: undefined, isLost: false};
			const info = () => ({id, model: '', scope: {...own, readRoots: [...own.readRoots]}});
			const found = await succeed(seat, info, new AbortController().signal, () => ({level: 'info', text: ''}));
			return found.ok ? kept(found.pod, id) : {refused: found.sentence};
		}
		case 'serve': {
			const host = createBackgroundHost({env, idleMs: 60_000, onLog: () => {}});
			onTestFinished(async () => host.close());
			const opened = await host.open({
				cwd,
				session: {kind: 'id', id},
				readOnly: false,
				addDirs: [],
				noConfine: true,
			});
			if (!opened.ok) return {refused: opened.sentence};
			const connected = await connectPod(socketPath(`${stored.runtime}/inkpod`, id));
			return connected.ok
				? {...kept(connected.pod, id), close: async () => host.close()}
				: {refused: connected.sentence};
		}
		case 'acp': {
			const host = createHost({
				start: {...base, ...flags},
				env,
				initialize: methods => initializeResponse('0.0.0', methods),
			});
			const opened = await host.open({id, cwd, addDirs: [], servers: []});
			return opened.ok ? kept(opened.pod, id) : {refused: opened.sentence};
		}
		case 'library': {
			const {approval, ...rest} = flags;
			const opened = await openLibraryPod({
				directory: cwd,
				session: id,
				env,
				attended: true,
				...(rest.model !== undefined && {model: rest.model}),
				...(approval !== undefined && {approval}),
			});
			if (!opened.ok) return {refused: opened.sentence};
			const {pod} = opened;
			return {
				session: id,
				close: async () => pod.close(),
				send: async (text, choice) => sendToLibrary(pod, text, choice),
			};
		}
		default:
			return way satisfies never;
	}
}

async function switchFrom(
	options: ChatOptions,
	env: Env,
	{id, dir}: Stored,
	to: Parameters<typeof prepareSwitch>[0],
): Promise<Again> {
	const plan = await planStart({...options, session: {kind: 'id', id}}, env);
	if (!plan.ok) return {refused: plan.sentence};
	const opened = await openPlanned(plan.plan, options, env);
	if (!opened.ok) return {refused: opened.sentence};
	kept(opened.open.pod, id);
	const streams = {stdin: process.stdin, stdout: process.stdout, stderr: new PassThrough()};
	const here = {
		launch: {command: 'chat', prompt: '', ...options} as const,
		io: {version: '', env, ...streams},
		screen: {plan: plan.plan, prompt: '', draft: [], warnings: []},
		open: {...opened.open, session: {id, dir}},
	};
	const next: {screen?: {readonly open?: {readonly pod: PodClient; readonly session: {readonly id: string}}}} = {};
	const switched = await prepareSwitch(to, here, chosen => {
		if (chosen.kind === 'session') next.screen = chosen.screen;
	});
	if (!switched.ok) return {refused: switched.sentence};
	switched.leave([], '');
	await opened.open.pod.send({method: 'shutdown'});
	const open = next.screen?.open;
	return open === undefined ? {refused: 'nothing was opened'} : kept(open.pod, open.session.id);
}

function kept(pod: PodClient, session: string): Exclude<Again, {readonly refused: string}> {
	onTestFinished(async () => void (await pod.send({method: 'shutdown'})));
	return {
		session,
		pod,
		close: async () => pod.send({method: 'shutdown'}),
		send: async (text, choice) => sendTo(pod, text, choice),
	};
}

/** What came of a message: its receipt, the questions that were asked, and the items after it. */
export type Sent = {
	readonly isSent: boolean;
	readonly sentence: string;
	readonly asked: readonly string[];
	readonly items: ReadonlyArray<{readonly type: string}>;
};

/** Sends a message, answers every question with `choice`, and waits for the end of the turn. */
export async function sendTo(pod: PodClient, text: string, choice: Choice): Promise<Sent> {
	const [items, asked]: [Item[], string[]] = [[], []];
	const ended = Promise.withResolvers<void>();
	const answered = new Set<string>();
	const look = (status: Status) => {
		for (const {id, title, choices} of status.asks) {
			if (answered.has(id)) continue;
			answered.add(id);
			asked.push(title);
			const fitting = choices.find(each => each.choice === choice) ?? choices.at(-1);
			void pod.send({method: 'answer', askId: id, choice: fitting?.choice ?? 'deny'});
		}
	};
	const stop = pod.subscribe(event => {
		if (event.type === 'snapshot') items.push(...event.items);
		if (event.type === 'item') items.push(event.item);
		if ('status' in event) look(event.status);
		if (event.type === 'item' && event.item.type === 'run_end') ended.resolve();
		if (event.type === 'closed') ended.resolve();
	});
	const receipt = await pod.send({method: 'run', segments: [{type: 'text', text}]});
	if (receipt.accepted) await ended.promise;
	stop();
	return {isSent: receipt.accepted, sentence: receipt.accepted ? '' : receipt.sentence, asked, items};
}

async function sendToLibrary(pod: Pod, text: string, choice: Choice): Promise<Sent> {
	const asked: string[] = [];
	onTestFinished(async () => pod.close());
	pod.subscribe(event => {
		if (event.type !== 'questions') return;
		for (const {id, title, choices} of event.questions) {
			asked.push(title);
			void pod.answer(id, choices.find(each => each.choice === choice)?.choice ?? 'deny');
		}
	});
	const turn = await pod.send(text);
	return {isSent: turn.ok, sentence: turn.ok ? '' : turn.sentence, asked, items: pod.items};
}

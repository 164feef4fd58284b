import type {ContentBlock, SessionUpdate} from '@agentclientprotocol/sdk';
import type {PodClient, SessionInfo, Status} from '../pod/protocol.ts';
import type {Block} from '../transcript/block.ts';
import type {Editor} from './initialize.ts';
import type {Host} from './host.ts';
import {createPermissions} from './permissions/permissions.ts';
import {promptInOrder, type Prompted, type PromptState} from './prompts.ts';
import {tellCommands} from './initialize.ts';
import {createSessionFacts} from './session-facts.ts';
import {createSessionOptions, type SessionOptions} from './session-options.ts';
import {createFeed} from './updates/feed.ts';

/** A session that an editor has open. */
export type AcpSession = {
	readonly options: SessionOptions;
	/** Sends a prompt after the waiting prompts, and resolves at the end of its turn. */
	prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<Prompted>;
	/** Stops the turn. All prompts are answered as cancelled. */
	cancel(): Promise<void>;
	/** Sends the updates that an editor can process only after it knows the session. */
	announce(): void;
	isBusy(): boolean;
	/** Closes the session. `isLost`: the editor is gone, so the turn is paused and can be resumed. */
	close(isLost?: boolean): Promise<void>;
};

type AcpSessionOptions = {
	readonly pod: PodClient;
	readonly editor: Editor;
	readonly host: Pick<Host, 'readText'>;
	/** Whether to send the earlier transcript at the start. */
	readonly replays: boolean;
	readonly warnings: readonly string[];
	/** Whether the editor has passed MCP servers. */
	readonly hasServers: boolean;
	readonly onClosed: () => void;
};

export function createAcpSession(options: AcpSessionOptions): AcpSession {
	const {pod, editor, replays, onClosed} = options;
	const state = promptState(options);
	// The editor knows the session only after the answer to `session/new`, so earlier updates must wait.
	const early: SessionUpdate[] = [];
	let isKnown = replays;
	let isAnnounced = false;
	const update = (each: SessionUpdate) => void (isKnown ? editor.update(each) : early.push(each));
	const feed = createFeed({update, isOwn: block => isOwn(block, state.own)});
	const facts = createSessionFacts(update);
	const config = createSessionOptions(pod, update);
	const cancel = async () => {
		state.cancelled += 1;
		// Cancels only a running turn. In a paused session, `cancel` would discard a turn that can be resumed.
		if (state.status?.kind === 'running') await pod.send({method: 'cancel'});
	};
	const permissions = createPermissions({pod, editor, calls: feed, onCancelled: () => void cancel()});
	let session: SessionInfo | undefined;
	let isFirst = true;
	const unsubscribe = pod.subscribe(event => {
		if (event.type === 'snapshot') {
			({session} = event);
			state.pwd = session.scope.pwd;
		}
		const isShown = !isFirst || replays;
		isFirst = false;
		feed.event(event, isShown);
		facts.event(event);
		if ('status' in event) follow(event.status);
		if (event.type === 'closed') {
			state.isClosed = true;
			permissions.close();
			for (const resolve of state.idle) resolve();
			onClosed();
		}
	});

	function follow(status: Status): void {
		state.status = status;
		if (status.kind !== 'running') for (const resolve of state.idle) resolve();
		config.follow(session, status);
		permissions.follow(status.asks);
	}

	function announce(): void {
		if (isAnnounced) return;
		isAnnounced = true;
		isKnown = true;
		for (const each of early.splice(0)) editor.update(each);
		for (const text of options.warnings) facts.event({type: 'alert', alert: {level: 'warn', text}});
		void announceLists(state, config);
	}

	return {
		options: config,
		cancel,
		isBusy: () => state.waiting > 0,
		async prompt(blocks, signal) {
			announce();
			permissions.open();
			return promptInOrder(state, blocks, signal);
		},
		announce,
		async close(isLost = false) {
			permissions.close();
			state.cancelled += 1;
			// Stops the running turn only if a prompt of this editor is not answered yet.
			if (state.waiting > 0 && state.status?.kind === 'running')
				await pod.send({method: isLost ? 'pause' : 'cancel'});
			await state.tail;
			unsubscribe();
			state.isClosed = true;
			await pod.send({method: 'shutdown'});
		},
	};
}

function promptState({pod, editor, host, hasServers}: AcpSessionOptions): PromptState {
	return {
		pod,
		editor,
		host,
		hasServers,
		pwd: '/',
		isClosed: false,
		cancelled: 0,
		waiting: 0,
		own: new Set(),
		tail: Promise.resolve(),
		idle: new Set(),
		status: undefined,
	};
}

function isOwn(block: Block, own: ReadonlySet<string>): boolean {
	return block.kind === 'user' && block.origin?.kind === 'submit' && own.has(block.origin.id ?? '');
}

async function announceLists(state: PromptState, config: SessionOptions): Promise<void> {
	const {pod, editor} = state;
	await Promise.all([
		tellCommands(pod, each => editor.update(each)),
		pod.models('local').then(models => config.setModels(models)),
	]).catch((error: unknown) => {
		// A failure is expected only if the session was closed or the editor has disconnected in the meantime.
		if (!state.isClosed && !editor.gone.aborted) throw error;
	});
}

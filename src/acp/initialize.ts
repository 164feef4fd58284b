import type {
	AuthMethod,
	InitializeResponse,
	RequestPermissionRequest,
	RequestPermissionOutcome,
	SessionUpdate,
} from '@agentclientprotocol/sdk';
import {asWritten, type Event, type Item, type PodClient, type Status} from '../pod/protocol.ts';

/** Returns the capabilities of inkpod for an editor that connects. */
export function initializeResponse(version: string, authMethods: AuthMethod[]): InitializeResponse {
	return {
		protocolVersion: 1,
		agentInfo: {name: 'inkpod', title: 'inkpod', version},
		agentCapabilities: {
			loadSession: true,
			promptCapabilities: {image: true, audio: false, embeddedContext: true},
			mcpCapabilities: {http: true, sse: true},
			sessionCapabilities: {list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {}},
		},
		authMethods,
	};
}

/**
Answers the first line of an editor before the protocol's code is loaded, so that the editor does not wait. The function
answers only a plain `initialize`. For every other line it returns `undefined`, and the protocol's code answers.
*/
export function answerFirst(line: string, version: string): string | undefined {
	const message = parsed(line);
	if (!isRecord(message) || message['jsonrpc'] !== '2.0' || message['method'] !== 'initialize') return undefined;
	const {id, params} = message;
	if (!isRecord(params) || !Number.isInteger(params['protocolVersion'])) return undefined;
	if (typeof id !== 'string' && !Number.isInteger(id)) return undefined;
	const {clientCapabilities = {}} = params;
	if (!isRecord(clientCapabilities)) return undefined;
	const {auth} = clientCapabilities;
	// An answer with a list of logins needs more code.
	if (isRecord(auth) && auth['terminal'] === true) return undefined;
	return JSON.stringify({jsonrpc: '2.0', id, result: initializeResponse(version, [])});
}

/** The functions of an editor that a session needs. All calls are for this session. */
export type Editor = {
	/** Sends an update. Updates and responses arrive in the order of the calls. */
	update(update: SessionUpdate): void;
	/** Asks the user. Resolves with `undefined` if the editor cannot ask, or if the signal is aborted first. */
	ask(
		question: Omit<RequestPermissionRequest, 'sessionId'>,
		signal: AbortSignal,
	): Promise<RequestPermissionOutcome | undefined>;
	/** Returns the text of an editor's buffer. Absent if the editor does not share its buffers. */
	readonly readBuffer?: (path: string, signal: AbortSignal) => Promise<string | undefined>;
	/** Aborted when the editor has disconnected. */
	readonly gone: AbortSignal;
};

export function createSessionFacts(update: (update: SessionUpdate) => void): SessionFacts {
	let title: string | undefined;
	let usage = '';
	let alerts = 0;

	function findTitle(items: readonly Item[]): void {
		const first =
			title === undefined ? items.find(item => item.type === 'message' && item.role === 'user') : undefined;
		const words = first?.type === 'message' ? titleOf(first.text) : '';
		if (words === '') return;
		title = words;
		update({sessionUpdate: 'session_info_update', title});
	}

	function tellUsage({context}: Status): void {
		if (context?.window === undefined) return;
		const {tokens: used, window: size, cost} = context;
		const next: SessionUpdate = {
			sessionUpdate: 'usage_update',
			used,
			size,
			...(cost !== undefined && {cost: {amount: cost.usd, currency: 'USD'}}),
		};
		const text = JSON.stringify(next);
		if (text !== usage) update(next);
		usage = text;
	}

	return {
		event(event) {
			if (event.type === 'snapshot') findTitle(event.items);
			if (event.type === 'item') findTitle([event.item]);
			if ('status' in event) tellUsage(event.status);
			if (event.type === 'alert' && event.alert.level !== 'info') tell(event.alert.text, event.alert.level);
		},
	};

	/**
	Shows an alert as a separate tool call, because an editor cannot show alerts. The tool call is not in the history.
	*/
	function tell(text: string, level: string): void {
		alerts += 1;
		const toolCallId = `alert:${alerts}`;
		const title = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
		const status = level === 'error' ? 'failed' : 'completed';
		update({sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status, _meta: {inkpod: {alert: level}}});
	}
}

/** Sends the commands of a session to an editor. They are its workflows. */
export async function tellCommands(
	pod: Pick<PodClient, 'workflows'>,
	update: (update: SessionUpdate) => void,
): Promise<void> {
	const workflows = await pod.workflows();
	update({
		sessionUpdate: 'available_commands_update',
		availableCommands: workflows
			.filter(({userInvocable, error}) => userInvocable && error === undefined)
			.map(({slug, description}) => ({name: slug, description, input: {hint: 'arguments'}})),
	});
}

function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports the title, the use of the context, and alerts. */
type SessionFacts = {event(event: Event): void};

function titleOf(text: string): string {
	const words = asWritten(text.slice(0, 1000))
		.replaceAll(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return words.length > maxTitle ? `${Array.from(words).slice(0, maxTitle).join('')}…` : words;
}

const maxTitle = 80;

import type {
	AuthMethod,
	InitializeResponse,
	RequestPermissionRequest,
	RequestPermissionOutcome,
	SessionUpdate,
} from '@agentclientprotocol/sdk';
import type {PodClient} from '../pod/protocol.ts';

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

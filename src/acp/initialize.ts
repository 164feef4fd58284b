import type {AuthMethod, InitializeResponse} from '@agentclientprotocol/sdk';

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
Answers the first line of an editor before the protocol's code is loaded, so that the editor does not wait. It answers
only a plain `initialize`. For every other line it returns `undefined`, and the protocol's code answers.
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
	// The list of logins needs more code.
	if (isRecord(auth) && auth['terminal'] === true) return undefined;
	return JSON.stringify({jsonrpc: '2.0', id, result: initializeResponse(version, [])});
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

import {loadModel, type ModelSpec} from '../../../src/worker/wires/load.ts';
import type {DialectName} from '../../../src/worker/wires/dialects.ts';
import {isKnownProvider} from '../../../src/worker/wires/providers.ts';
import type {AssistantPart, Model} from '../../../src/worker/history/model.ts';
import type {WireName, WireServer} from '../../helpers/wire-servers/index.ts';

/** A key that tests can easily find in places where it must not be. */
export const testKey = 'sk-test-0123456789abcdef';

export const modelNames: Readonly<Record<WireName, string>> = {
	anthropic: 'claude-sonnet-5',
	openai: 'gpt-5.2',
	google: 'gemini-3-pro-preview',
	'openai-compatible': 'local',
};

/** Creates a model for this provider that talks to a test server. A stall time-out applies to the first token too. */
export async function modelAt(
	wire: WireName,
	{url}: Pick<WireServer, 'url'>,
	options: ModelSpec['options'] = {},
): Promise<Model> {
	const {stallTimeoutMs} = options;
	const limits = stallTimeoutMs === undefined ? {} : {firstTokenTimeoutMs: stallTimeoutMs};
	return loadModel({
		provider: wire,
		model: modelNames[wire],
		apiKey: testKey,
		baseURL: url,
		options: {...limits, ...options},
	});
}

/** The spec of a model of this dialect at a test server: a known provider, or one that the user named. */
export function specAt(dialect: DialectName, {url}: Pick<WireServer, 'url'>): ModelSpec {
	const base = {model: 'local', apiKey: testKey, baseURL: url};
	if (dialect === 'safe') return {provider: 'openai-compatible', ...base};
	if (isKnownProvider(dialect)) return {provider: dialect, ...base};
	return {provider: `own-${dialect}`, server: {wire: 'openai-compatible', dialect}, ...base};
}

/** Returns the value as it is after a write to disk and a read. */
export function throughJson<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value)) as Value;
}

/** Returns the parts without their provider data. */
export function bare(parts: readonly AssistantPart[]): AssistantPart[] {
	return parts.map(part => {
		const {provider: _, ...rest} = part;
		return rest;
	});
}

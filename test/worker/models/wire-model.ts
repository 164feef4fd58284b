import {loadModel, type ModelSpec} from '../../../src/worker/models/load.ts';
import type {AssistantPart, Model} from '../../../src/worker/model.ts';
import type {WireName, WireServer} from '../../helpers/wire-servers/index.ts';

/** A key that is easy to find in places where it must not be. */
export const testKey = 'sk-test-0123456789abcdef';

export const modelNames: Readonly<Record<WireName, string>> = {
	anthropic: 'claude-sonnet-5',
	openai: 'gpt-5.2',
	google: 'gemini-3-pro-preview',
	'openai-compatible': 'local',
};

/** A model of this wire that talks to a test server. */
export async function modelAt(
	wire: WireName,
	{url}: Pick<WireServer, 'url'>,
	options: ModelSpec['options'] = {},
): Promise<Model> {
	return loadModel({provider: wire, model: modelNames[wire], apiKey: testKey, baseURL: url, options});
}

/** The value after it was written to disk and read again. */
export function throughJson<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value)) as Value;
}

/** The parts without their provider data. */
export function bare(parts: readonly AssistantPart[]): AssistantPart[] {
	return parts.map(part => {
		const {provider: _, ...rest} = part;
		return rest;
	});
}

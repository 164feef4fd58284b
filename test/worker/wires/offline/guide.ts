import type {ModelMessage, ModelRequest} from '../../../../src/worker/history/model.ts';
import {offlineModel} from '../../../../src/worker/wires/offline/offline-model.ts';
import {ask, collect} from '../../../helpers/collect.ts';

export const guide = offlineModel({delayMs: 0});
export const allTools = ['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'bash'];

export function tools(names: readonly string[]): Pick<ModelRequest, 'tools'> {
	return {tools: names.map(name => ({name, description: '', parameters: {}}))};
}

export function user(...texts: readonly string[]): readonly ModelMessage[] {
	return texts.map(text => ({role: 'user', text}));
}

/** Makes a batch of calls with their results. */
export function answered(
	...steps: ReadonlyArray<{
		readonly name: string;
		readonly args: unknown;
		readonly content: string;
		readonly isError?: boolean;
	}>
): readonly ModelMessage[] {
	const calls = steps.map((step, index) => ({...step, callId: `c${index}-${step.name}`}));
	return [
		{
			role: 'assistant',
			parts: calls.map(({callId, name, args}) => ({
				type: 'tool_call',
				callId,
				name,
				arguments: JSON.stringify(args),
			})),
		},
		{
			role: 'tool',
			results: calls.map(({callId, name, content, isError = false}) => ({callId, name, content, isError})),
		},
	];
}

export async function reply(
	messages: readonly ModelMessage[],
	names: readonly string[] = allTools,
): Promise<{
	readonly text: string;
	readonly calls: ReadonlyArray<{readonly name: string; readonly args: unknown}>;
	readonly stop: string | undefined;
}> {
	const {parts, stop, error} = await collect(guide, ask(messages, tools(names)));
	if (error !== undefined) throw error.cause;
	return {
		text: parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
		calls: parts.flatMap(part =>
			part.type === 'tool_call' ? [{name: part.name, args: JSON.parse(part.arguments) as unknown}] : [],
		),
		stop,
	};
}

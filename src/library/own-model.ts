import type {OwnParts} from '../pod/index.ts';
import type {OwnModel, Feature, OwnTool} from './types.ts';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';

type Model = NonNullable<OwnParts['model']>;

type ModelEvent = ReturnType<Model['stream']> extends AsyncIterable<infer Event> ? Event : never;

/**
Converts a model of the caller to a model for the worker. The result keeps the contract of models even if the caller's
code does not. An abort ends the stream immediately. An exception or a missing end becomes an error event.
*/
export function ownModelOf(model: OwnModel): Model {
	const {name} = model;
	return {name, stream: (request, signal) => guarded(name, () => model.stream(request, signal), signal)};
}

/**
Converts a feature of the caller to a feature of the pod. Returns a sentence if the schema of a tool is not valid.
*/
export function ownFeatureOf(feature: Feature): PodFeature | string {
	const {name, tools = []} = feature;
	const made = tools.map(ownToolOf);
	const problem = made.find(tool => typeof tool === 'string');
	return problem ?? {name, tools: made.filter(tool => typeof tool !== 'string'), stop: async () => feature.stop?.()};
}

async function* guarded(
	name: string,
	begin: () => ReturnType<OwnModel['stream']>,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const {promise: stopped, resolve} = Promise.withResolvers<'aborted'>();
	const stop = () => resolve('aborted');
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	let parts: AsyncIterator<ModelEvent> | undefined;
	try {
		parts = begin()[Symbol.asyncIterator]();
		for (;;) {
			const next = await Promise.race([parts.next(), stopped]);
			const event = next === 'aborted' || next.done === true ? missingEnd(name, next === 'aborted') : next.value;
			yield event;
			if (event.type === 'finish' || event.type === 'error') break;
		}
	} catch (error) {
		yield failure('other', `${name} failed: ${error instanceof Error ? error.message : String(error)}`);
	} finally {
		signal.removeEventListener('abort', stop);
		// The code does not wait for `return`, because the caller's iterator may never end.
		void parts?.return?.().catch(() => {});
	}
}

function missingEnd(name: string, isStopped: boolean): ModelEvent {
	return isStopped
		? failure('aborted', `${name} was stopped.`)
		: failure('bad_response', `${name} ended its answer without a finish.`);
}

function failure(reason: 'aborted' | 'bad_response' | 'other', message: string): ModelEvent {
	return {type: 'error', error: {reason, message, retryable: false}};
}

type PodFeature = NonNullable<OwnParts['features']>[number];

type Tool = NonNullable<PodFeature['tools']>[number];

/** Converts a tool of the caller to a tool for the worker. Returns a sentence if its schema is not valid. */
function ownToolOf(tool: OwnTool): Tool | string {
	const {name, description, parameters, readOnly = false} = tool;
	if (parameters['type'] !== 'object') return `The parameters of the tool ${name} must have the type object.`;
	const validate = compiled(parameters);
	if (typeof validate === 'string') return `The parameters of the tool ${name} are not a JSON Schema: ${validate}.`;
	return {
		definition: {name, description, parameters},
		effect: readOnly ? 'read' : 'execute',
		check: args => (validate(args) ? {ok: true, args} : {ok: false, message: problemsOf(validate)}),
		async execute(args, {signal}) {
			const given = typeof args === 'object' && args !== null ? {...args} : {};
			const result = await tool.run(given, {signal});
			const {content, isError} = typeof result === 'string' ? {content: result, isError: false} : result;
			const bytes = Buffer.byteLength(content);
			return {summary: isError ? 'an error' : `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`, content, isError};
		},
	};
}

function compiled(parameters: OwnTool['parameters']): ValidateFunction | string {
	try {
		return new Ajv2020({allErrors: true, strict: false, logger: false, validateFormats: false}).compile(parameters);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

function problemsOf({errors}: ValidateFunction): string {
	return (errors ?? [])
		.slice(0, 5)
		.map(({instancePath, message}) => `${instancePath === '' ? 'they' : instancePath} ${message ?? 'do not match'}`)
		.join('; ');
}

import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import type {OwnParts} from '../pod/index.ts';
import type {Feature, OwnTool} from './types.ts';

type PodFeature = NonNullable<OwnParts['features']>[number];
type Tool = NonNullable<PodFeature['tools']>[number];

/**
Converts a feature of the caller to a feature of the pod. Returns a sentence if the schema of a tool is not valid.
*/
export function ownFeatureOf(feature: Feature): PodFeature | string {
	const {name, tools = []} = feature;
	const made = tools.map(ownToolOf);
	const problem = made.find(tool => typeof tool === 'string');
	return problem ?? {name, tools: made.filter(tool => typeof tool !== 'string'), stop: async () => feature.stop?.()};
}

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

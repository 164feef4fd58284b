import {z} from 'zod';
import {configSchema} from '../../src/pod/config/config-schema.ts';

/** Returns the JSON schema of config.toml, with the sentences of the settings. */
export function configJsonSchema(): object {
	const {$schema, ...rest} = z.toJSONSchema(configSchema, {
		target: 'draft-7',
		unrepresentable: 'any',
		io: 'output',
		metadata: z.registry(),
		override: ({zodSchema, jsonSchema}) => {
			const {about} = z.globalRegistry.get(zodSchema) ?? {};
			if (about === undefined) return;
			// What zod cannot represent is a text, or a list of texts.
			if (Object.keys(jsonSchema).length === 0) jsonSchema.type = ['string', 'array'];
			jsonSchema.description = about.replaceAll('`', '');
		},
	});
	return {$schema, title: 'config.toml of inkpod', ...rest};
}

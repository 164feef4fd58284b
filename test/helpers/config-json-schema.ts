import {z} from 'zod';
import {configSchema} from '../../src/pod/config/config-schema.ts';
import {allSettings} from '../../src/pod/config/settings/all-settings.ts';
import {isRecord} from '../../src/pod/ground/values/is-record.ts';

type Node = Record<string, unknown>;

/** Returns the JSON schema of config.toml, with the sentences and choices of the reference of all settings. */
export function configJsonSchema(): object {
	const made: Node = z.toJSONSchema(configSchema, {target: 'draft-7', unrepresentable: 'any', io: 'output'});
	for (const {key, type, about, files} of allSettings) {
		if (files === 'project') continue;
		const node = nodeAt(made, key.split('.'));
		if (node === undefined) throw new Error(`The schema has no ${key}`);
		node['description'] = about;
		if (type.startsWith('"') && node['enum'] === undefined) node['enum'] = JSON.parse(`[${type}]`);
		if (Object.keys(node).length === 1) node['type'] = ['string', 'array'];
	}
	const {$schema, ...rest} = made;
	return {$schema, title: 'config.toml of inkpod', ...rest};
}

/** Returns the node of a key. `<name>` is the value of any name, and a list has its entries. */
function nodeAt(schema: Node, path: readonly string[]): Node | undefined {
	let here: unknown = schema;
	for (const part of path) {
		if (isRecord(here) && here['type'] === 'array') here = here['items'];
		if (!isRecord(here)) return undefined;
		const properties = here['properties'];
		here = part === '<name>' ? here['additionalProperties'] : isRecord(properties) ? properties[part] : undefined;
	}
	return isRecord(here) ? here : undefined;
}

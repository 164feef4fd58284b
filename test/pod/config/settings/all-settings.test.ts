import {Ajv} from 'ajv';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {parse} from 'smol-toml';
import {describe, expect, it} from 'vitest';
import {configSchema} from '../../../../src/pod/config/config-schema.ts';
import {allSettings} from '../../../../src/pod/config/settings/all-settings.ts';
import {projectRoot} from '../../../helpers/built.ts';
import {configJsonSchema} from '../../../helpers/config-json-schema.ts';
import {readExamples} from '../../../helpers/examples.ts';

const files = {'config.toml': 'user', 'inkpod.toml': 'project', 'config.toml, inkpod.toml': 'both'} as const;

/** Returns the rows of docs/settings.md without Markdown. */
function rows(): ReadonlyArray<readonly string[]> {
	return readFileSync(path.join(projectRoot, 'docs/settings.md'), 'utf8')
		.split('\n')
		.filter(line => line.startsWith('| `'))
		.map(line =>
			line
				.slice(1, -1)
				.split('|')
				.map(cell =>
					cell
						.trim()
						.replaceAll(/ \(\[more\]\([^)]*\)\)/g, '')
						.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
						.replaceAll('`', ''),
				),
		);
}

describe('the table of settings', () => {
	it('says what docs/settings.md says', () => {
		expect(
			allSettings.map(({key, type, fallback, files: where, about}) => [key, type, fallback, where, about]),
		).toEqual(
			rows().map(([key, type, fallback, where = '', about]) => [
				key,
				type,
				fallback,
				Object.entries(files).find(([name]) => name === where)?.[1],
				about,
			]),
		);
	});
});

/** `npx vitest run test/pod/config/settings/all-settings.test.ts --update=all` writes the file. */
describe('schema/config.schema.json', () => {
	it('is that of the schema of config.toml, with the sentences of the settings', async () => {
		await expect(`${JSON.stringify(configJsonSchema(), null, '\t')}\n`).toMatchFileSnapshot(
			path.join(projectRoot, 'schema/config.schema.json'),
		);
	});

	const validate = new Ajv({strict: false}).compile(configJsonSchema());
	const examples = readExamples().filter(({kind}) => kind === 'toml config.toml');

	it.each(examples.map(({page, line, text}) => [`${page}:${line}`, text]))('accepts the example at %s', (_, text) => {
		expect(configSchema.safeParse(parse(text)).success).toBe(true);
		expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
	});

	it.each([
		'[screen]\nbell = "loud"',
		'[screen]\nmous = true',
		'[model]\neffort = "huge"',
		'max_turns = 0',
		'[retry]\nmax_wait = "long"',
		'[themes.mine]\nerror = "red"',
		'[[permission]]\ntool = "bash"',
	])('rejects %j', text => {
		expect(validate(parse(text))).toBe(false);
	});
});

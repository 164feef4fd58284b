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
import {withTables} from '../../../helpers/settings-page.ts';

const settings = allSettings();
const page = path.join(projectRoot, 'docs/settings.md');

describe('the meaning of a setting', () => {
	it('has only fields that are read', () => {
		const texts = ['key', 'group', 'files', 'type', 'fallback', 'about', 'when', 'more', 'variable'];
		const fields = [...texts, 'choices', 'isSecret'];
		expect(settings.flatMap(setting => Object.keys(setting)).filter(field => !fields.includes(field))).toEqual([]);
	});
});

describe('the choices of a setting', () => {
	it('are those of its schema, as TOML, and are absent for other values', () => {
		const choicesOf = (wanted: string) => settings.find(({key}) => key === wanted)?.choices;
		expect(choicesOf('composer.mode')).toEqual(['"standard"', '"vim"']);
		expect(choicesOf('screen.mouse')).toEqual(['true', 'false']);
		expect(choicesOf('max_turns')).toBeUndefined();
	});
});

/** `npx vitest run test/pod/config/settings/all-settings.test.ts --update=all` writes the files. */
describe('docs/settings.md', () => {
	it('has the tables of the schema', async () => {
		await expect(withTables(readFileSync(page, 'utf8'), settings)).toMatchFileSnapshot(page);
	});

	it('has a heading for each group', () => {
		const headings = readFileSync(page, 'utf8').match(/(?<=^## ).*/gm);
		expect(headings).toEqual([...new Set(settings.map(({group}) => group))]);
	});
});

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

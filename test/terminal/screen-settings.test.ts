import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {statusPartNames, themeNames} from '../../src/pod/protocol/settings.ts';
import {isRecord} from '../../src/pod/ground/values/is-record.ts';
import {projectRoot} from '../helpers/built.ts';
import {openChat} from '../helpers/chat.ts';
import {configJsonSchema} from '../helpers/config-json-schema.ts';
import {runProgram, type ProgramEnd, type ProgramOptions} from '../helpers/program.ts';

const languages = ['en', 'ja', 'zh'] as const;

/** Each setting of `[screen]` with a value, the language with all of its values. */
const settings = Object.entries(nodeAt(configJsonSchema(), 'properties', 'screen', 'properties')).flatMap(
	([key, node]) => valuesOf(key, node).map(value => `${key} = ${JSON.stringify(value)}`),
);

describe('a start with a setting of the screen in config.toml', () => {
	it.each(settings)('prints its version and an answer: %s', async setting => {
		const home = await homeWith(`[screen]\n${setting}\n`);
		const [version, answer] = await Promise.all([run({home, args: ['--version']}), run({home, args: question})]);
		expect(version).toEqual({code: 0, stdout: `${String(await packageVersion())}\n`, stderr: ''});
		expect(answer).toEqual(await (plain ??= run({args: question})));
	});

	it('covers the languages', () => {
		expect(settings.filter(setting => setting.startsWith('language'))).toHaveLength(languages.length);
	});

	it('writes its texts in the language of the file', async () => {
		const helps = languages.map(async language => {
			const [own, expected] = await Promise.all([
				run({home: await homeWith(`[screen]\nlanguage = "${language}"\n`), args: ['--help']}),
				run({env: {INKPOD_LANGUAGE: language}, args: ['--help']}),
			]);
			expect(own).toEqual(expected);
			return own.stdout;
		});
		expect(new Set(await Promise.all(helps)).size).toBe(languages.length);
	});

	it.each(languages)('opens the chat in the language of the file: %s', async language => {
		const terminal = await openChat({home: await homeWith(`[screen]\nlanguage = "${language}"\n`)});
		await terminal.waitFor(await textIn(language, 'Ask anything'));
		await terminal.waitFor(await textIn(language, 'idle'));
	});
});

const question = ['-p', '--model', 'offline', 'hello'];
let plain: Promise<Omit<ProgramEnd, 'home'>> | undefined;

/** Fails for a setting of a kind that has no values here. */
function valuesOf(key: string, node: unknown): readonly unknown[] {
	if (!isRecord(node)) throw new Error(`screen.${key} has no schema`);
	if (key === 'theme') return themeNames.slice(-1);
	if (key === 'status') return [statusPartNames];
	if (node['type'] === 'boolean') return [true];
	if (!Array.isArray(node['enum'])) throw new Error(`screen.${key} has no values in this test`);
	return key === 'language' ? node['enum'] : node['enum'].slice(-1);
}

function nodeAt(node: object, ...path: readonly string[]): Record<string, unknown> {
	const found = path.reduce<unknown>((here, name) => (isRecord(here) ? here[name] : undefined), node);
	if (!isRecord(found)) throw new Error(`there is no ${path.join('.')}`);
	return found;
}

async function homeWith(config: string): Promise<string> {
	const home = await mkdtemp(join(tmpdir(), 'inkpod-settings-'));
	onTestFinished(async () => rm(home, {recursive: true, force: true, maxRetries: 5}));
	await mkdir(join(home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home, '.config/inkpod/config.toml'), config);
	return home;
}

async function run(options: ProgramOptions): Promise<Omit<ProgramEnd, 'home'>> {
	const {code, stdout, stderr} = await runProgram(options);
	return {code, stdout, stderr};
}

async function packageVersion(): Promise<unknown> {
	const manifest: unknown = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
	return isRecord(manifest) ? manifest['version'] : undefined;
}

async function textIn(language: string, key: string): Promise<string> {
	if (language === 'en') return key;
	const texts: unknown = JSON.parse(await readFile(join(projectRoot, `src/language/${language}.json`), 'utf8'));
	return isRecord(texts) && typeof texts[key] === 'string' ? texts[key] : 'no translation';
}

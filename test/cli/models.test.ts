import {createServer} from 'node:http';
import {mkdir, writeFile} from 'node:fs/promises';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {models} from '../../src/cli/models.ts';
import {tempHome} from '../pod/disk/fixture.ts';

async function run({json = false, all = false, toml = ''} = {}) {
	const home = await tempHome();
	await mkdir(join(home.home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home.home, '.config/inkpod/config.toml'), toml);
	const out: string[] = [];
	const env = {...home.env, OPENAI_API_KEY: 'k', OLLAMA_HOST: 'http://127.0.0.1:9'};
	const code = await models({all, json, env, stdout: {write: text => out.push(text)}, stderr: {write() {}}});
	return {code, text: out.join('')};
}

it('inkpod models --all lists all models, those with a key first', async () => {
	const {code, text} = await run({all: true});
	expect(code).toBe(0);
	expect(text).toMatch(/^openai\/gpt-5 +400k +\$1\.25\/10 +OPENAI_API_KEY +minimal low medium high$/m);
	expect(text.indexOf('openai/gpt-5 ')).toBeLessThan(text.indexOf('set ANTHROPIC_API_KEY'));
});

it('inkpod models --all --json lists the same with all facts', async () => {
	const {text} = await run({all: true, json: true});
	expect(JSON.parse(text)).toContainEqual(
		expect.objectContaining({name: 'anthropic/claude-opus-5-5', missing: 'set ANTHROPIC_API_KEY'}),
	);
});

it('inkpod models lists the models that you can use, the default first, and counts the others', async () => {
	const {code, text} = await run({toml: '[model]\nname = "openai/gpt-5"\n'});
	const lines = text.trimEnd().split('\n');
	expect(code).toBe(0);
	expect(lines[0]).toMatch(/^openai\/gpt-5 +400k +\$1\.25\/10 +OPENAI_API_KEY, default +minimal/);
	expect(lines.at(-1)).toMatch(/^\d{3} more, without a key \(inkpod models --all\)$/);
	expect(lines.slice(0, -1).every(line => line.includes('OPENAI_API_KEY'))).toBe(true);
	const {text: json} = await run({json: true});
	expect(json).not.toContain('ANTHROPIC_API_KEY');
});

it('inkpod models asks the servers of your own, and waits for none that is silent', async () => {
	const made = createServer(({url}, response) => {
		if (url === '/v1/models') response.end(JSON.stringify({data: [{id: 'coder', max_model_len: 5000}]}));
	});
	await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		made.closeAllConnections();
		made.close();
	});
	const {port} = made.address() as AddressInfo;
	const server = (name: string, path: string) =>
		`[providers.${name}]\nwire = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}${path}"\n`;
	const toml = server('work', '') + server('silent', '/silent/v1');
	// On a busy machine the first answer may come too late.
	await expect.poll(async () => (await run({toml})).text, {timeout: 20_000}).toMatch(/^work\/coder +5k$/m);
});

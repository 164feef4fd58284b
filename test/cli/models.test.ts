import {expect, it} from 'vitest';
import {models} from '../../src/cli/models.ts';
import {tempHome} from '../pod/disk/fixture.ts';

async function run(json: boolean) {
	const home = await tempHome();
	const out: string[] = [];
	const env = {...home.env, OPENAI_API_KEY: 'k', OLLAMA_HOST: 'http://127.0.0.1:9'};
	const code = await models({json, env, stdout: {write: text => out.push(text)}, stderr: {write() {}}});
	return {code, text: out.join('')};
}

it('inkpod models lists the models, those with a key first', async () => {
	const {code, text} = await run(false);
	expect(code).toBe(0);
	expect(text).toMatch(/^openai\/gpt-5 +400k +\$1\.25\/10 +OPENAI_API_KEY +minimal low medium high$/m);
	expect(text.indexOf('openai/gpt-5 ')).toBeLessThan(text.indexOf('set ANTHROPIC_API_KEY'));
});

it('inkpod models --json lists the same with all facts', async () => {
	const {text} = await run(true);
	expect(JSON.parse(text)).toContainEqual(
		expect.objectContaining({name: 'anthropic/claude-opus-5-5', missing: 'set ANTHROPIC_API_KEY'}),
	);
});

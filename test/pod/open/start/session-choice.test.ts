import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ChatOptions} from '../../../../src/pod/open/start/options.ts';
import {planStart} from '../../../../src/pod/open/start/plan.ts';
import {chooseForSession} from '../../../../src/pod/open/start/session-choice.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {tempHome} from '../../disk/fixture.ts';

const at = '2026-01-01T00:00:00.000Z';
const setup = (model: string, settings = {}): Item => ({
	id: model,
	at,
	type: 'setup',
	model,
	prompt: '',
	tools: [],
	settings,
});
const mode = (change: object): Item => ({id: 'm', at, type: 'mode', ...change});

/** Decides about a stored session with these items. */
async function choose(items: readonly Item[], said: Partial<ChatOptions> = {}, config = '', more = {}) {
	const {home, cwd, env: own} = await tempHome();
	const env = {...own, ...more};
	await mkdir(join(home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home, '.config/inkpod/config.toml'), config);
	const start: ChatOptions = {session: {kind: 'pick'}, readOnly: false, addDirs: [], cwd, ...said};
	const planned = await planStart(start, env, {picked: join(home, 'none')});
	if (!planned.ok) throw new Error(planned.sentence);
	const chosen = await chooseForSession(planned.plan, env, {items});
	if (!chosen.ok) throw new Error(chosen.sentence);
	return chosen.choice;
}

describe('the model of a session', () => {
	const config = '[model]\nname = "ollama/configured"\neffort = "high"\n';

	it('is that of the command line, else of the record, else of the configuration', async () => {
		const items = [setup('ollama/recorded', {temperature: 0.2})];
		expect((await choose(items, {model: 'ollama/flagged'}, config)).model.name).toBe('ollama/flagged');
		const recorded = await choose(items, {}, config, {INKPOD_MODEL: 'ollama/environment'});
		expect(recorded.model).toMatchObject({name: 'ollama/recorded', settings: {temperature: 0.2}});
		expect((await choose([], {}, config)).model).toMatchObject({
			name: 'ollama/configured',
			settings: {reasoning: 'high'},
		});
	});

	it('keeps its effort and options, and takes those of the command line', async () => {
		const items = [setup('ollama/configured', {reasoning: 'low', rules: 1, cacheKey: 'k'})];
		const kept = await choose(items, {}, config);
		expect(kept.model.settings).toMatchObject({reasoning: 'low'});
		expect(kept.model.settings).not.toHaveProperty('cacheKey');
		const changed = await choose(items, {effort: 'medium', options: ['top_p=0.5']}, config);
		expect(changed.model.settings).toMatchObject({reasoning: 'medium', topP: 0.5});
	});

	it('is the one that the user chose, not one that stood in for it', async () => {
		const items = [setup('ollama/chosen'), setup('ollama/other', {insteadOf: 'ollama/chosen'})];
		expect((await choose(items)).model.name).toBe('ollama/chosen');
	});

	it('is held if it cannot be used, and no other takes its place', async () => {
		const {model, warnings} = await choose([setup('anthropic/claude-sonnet-5')], {}, '', {OPENAI_API_KEY: 'k'});
		expect(model).toMatchObject({name: 'anthropic/claude-sonnet-5', hold: {kind: 'unusable'}});
		expect(warnings.join(' ')).toContain('ANTHROPIC_API_KEY');
	});

	it('is held if its server has another address than in the record', async () => {
		const env = {OLLAMA_HOST: '', OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:2/v1'};
		const items = [setup('openai-compatible/m', {server: 'http://127.0.0.1:1'})];
		const moved = {kind: 'moved', from: 'http://127.0.0.1:1', to: 'http://127.0.0.1:2'};
		expect((await choose(items, {}, '', env)).model.hold).toMatchObject(moved);
		const same = [setup('openai-compatible/m', {server: 'http://127.0.0.1:2'})];
		expect((await choose(same, {}, '', env)).model.hold).toBeUndefined();
		// The user names the model, and so agrees to its server.
		expect((await choose(items, {model: 'openai-compatible/m'}, '', env)).model.hold).toBeUndefined();
		// A session of an earlier version did not record the server.
		expect((await choose([setup('openai-compatible/m')], {}, '', env)).model.hold).toMatchObject({kind: 'moved'});
	});
});

describe('the mode of a session', () => {
	const items = [
		setup('offline'),
		mode({approval: 'accept-edits', readOnly: true, limits: {maxTurns: 3, maxCost: 2}}),
	];

	it('comes from the record, and the command line changes it', async () => {
		const kept = await choose(items);
		expect(kept).toMatchObject({
			approval: 'accept-edits',
			writable: false,
			limits: {maxTurns: 3, budget: {maxCost: 2}},
			mode: {approval: 'accept-edits', readOnly: true, limits: {maxTurns: 3, maxCost: 2}},
		});
		const changed = await choose(items, {approval: 'ask', writable: true, maxTurns: 9, maxCost: 5});
		expect(changed).toMatchObject({approval: 'ask', writable: true, limits: {maxTurns: 9, budget: {maxCost: 5}}});
		expect(changed.mode).toEqual({limits: {maxTurns: 9, maxCost: 5}});
	});

	it.each(['auto', 'plan'])('asks again after %s, and says so', async approval => {
		const {approval: resumed, warnings} = await choose([setup('offline'), mode({approval})]);
		expect(resumed).toBe('ask');
		expect(warnings).toEqual([
			`This session was in ${approval} mode. After a resume, inkpod asks before it acts. Change that with /approval.`,
		]);
		const again = await choose([setup('offline'), mode({approval})], {approval: 'auto'});
		expect(again).toMatchObject({approval: 'auto', warnings: []});
	});

	it('asks about the folders that the session could read', async () => {
		const {askedDirs, mode: now} = await choose([setup('offline'), mode({addDirs: ['/usr', '/etc']})], {
			addDirs: ['/usr'],
		});
		expect(askedDirs).toEqual(['/etc']);
		expect(now).toEqual({addDirs: ['/usr']});
	});
});

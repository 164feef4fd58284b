import {access, chmod, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import {openPod} from '../../../../src/pod/open.ts';
import type {Event} from '../../../../src/pod/protocol.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {writtenServer} from '../../../helpers/mcp-server.ts';
import {testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, says, eventModel} from '../../../helpers/event-model.ts';

const yes = answer(says('Yes.'));
const alerts = (events: readonly Event[]) =>
	events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
const isThere = async (path: string) =>
	access(path).then(
		() => true,
		() => false,
	);
const setupTools = (told: TestPod) =>
	told
		.items()
		.flatMap(item =>
			item.type === 'setup' ? [item.tools.map(({name}) => name).filter(name => name.startsWith('mcp__'))] : [],
		);

/** Creates a project whose server writes a file at its start. */
async function bringing(more: Readonly<Record<string, unknown>> = {}): Promise<{
	readonly project: TempProject;
	readonly marker: string;
	readonly name: (entry: Readonly<Record<string, unknown>>) => Promise<void>;
}> {
	const project = await tempProject({'.git/': ''});
	const marker = project.path('../started');
	const server = await writtenServer(project, `writeFileSync(${JSON.stringify(marker)}, ''); tools = [tool('t')];`);
	const name = async (entry: Readonly<Record<string, unknown>>) =>
		void (await project.write('.mcp.json', JSON.stringify({mcpServers: {theirs: {...server, ...entry}}})));
	await name(more);
	return {project, marker, name};
}

async function answering(told: TestPod, choice: string, text = 'go'): Promise<string> {
	const receipt = told.run(text);
	await told.until(() => told.status().asks.length > 0);
	const [ask] = told.status().asks;
	await told.pod.send({method: 'answer', askId: ask!.id, choice});
	expect(await receipt).toEqual({accepted: true});
	await told.rest();
	return `${ask!.title}\n${ask!.detail}`;
}

describe('an MCP server of the project', () => {
	it('is started when the user trusts its whole entry on a card, and is not asked about again', async () => {
		const {project, marker} = await bringing({env: {A: '\u001b[31mb'}});
		const told = await testPod(project, {model: eventModel(yes)});
		expect(await told.pod.mcp()).toMatchObject([{name: 'theirs', source: 'project', state: 'idle'}]);
		const card = await answering(told, 'trust');
		expect(card).toContain('Start MCP server "theirs" from this project?\ncommand:\n');
		for (const part of [
			`${process.execPath} ${project.dir}/../servers/server.mjs`.replace('/project/..', ''),
			'"A": "\\u001b[31mb"',
		])
			expect(card).toContain(part);
		expect(setupTools(told)).toEqual([['mcp__theirs__t']]);
		expect(await isThere(marker)).toBe(true);
		const later = await testPod(project, {model: eventModel(yes)});
		await later.run('go');
		await later.rest();
		expect(setupTools(later)).toEqual([['mcp__theirs__t']]);
	});

	it('is not started after “No”, and is not asked about again before it changes', async () => {
		const {project, marker, name} = await bringing();
		const told = await testPod(project, {model: eventModel(yes, yes, yes)});
		await answering(told, 'deny');
		await told.run('again');
		await told.rest();
		expect([await isThere(marker), setupTools(told)]).toEqual([false, [[]]]);
		expect(await told.pod.mcp()).toMatchObject([{state: 'untrusted', tools: []}]);
		expect(alerts(told.events)).toEqual([
			`The MCP server theirs in "${project.path('.mcp.json')}" was not started: ` +
				`you did not trust it; inkpod asks again in the next session, or when its entry changes.`,
		]);
		await name({env: {B: '1'}});
		expect(await answering(told, 'deny', 'once more')).toContain('"B": "1"');
		expect(await isThere(marker)).toBe(false);
	});

	it('is stopped and asked about again, with the difference, when its entry changes', async () => {
		const {project, name} = await bringing({env: {A: '1'}});
		const told = await testPod(project, {model: eventModel(yes, yes)});
		await answering(told, 'trust');
		await name({env: {A: '2'}});
		const card = await answering(told, 'deny', 'again');
		expect(card).toContain('-"A": "1"');
		expect(card).toContain('+"A": "2"');
		expect(setupTools(told)).toEqual([['mcp__theirs__t'], []]);
	});

	it('is not started when the run is cancelled at the question, and the message is not sent', async () => {
		const {project, marker} = await bringing();
		const told = await testPod(project, {model: eventModel()});
		const receipt = told.run('go');
		await told.until(() => told.status().asks.length > 0);
		await told.pod.send({method: 'cancel'});
		expect(await receipt).toMatchObject({accepted: false, code: 'aborted'});
		expect([told.items(), told.status(), await isThere(marker)]).toEqual([
			[],
			{kind: 'idle', asks: [expect.objectContaining({title: expect.stringContaining('theirs')})], queue: []},
			false,
		]);
	});

	it('is started only with --trust when no one can approve, and the run continues either way', async () => {
		const {project, marker} = await bringing();
		const told = await testPod(project, {model: eventModel(yes), attended: false});
		await told.run('go');
		await told.rest();
		expect([await isThere(marker), setupTools(told)]).toEqual([false, [[]]]);
		expect(alerts(told.events)).toEqual([
			expect.stringContaining('no one can approve it here; --trust accepts it as it is now'),
		]);
		const clock = systemClock();
		const session = createSession({root: project.path('../state'), cwd: project.dir}, clock);
		const model = eventModel(yes);
		const pod = openPod({
			session,
			scope: project.scope,
			limits: defaultLimits,
			clock,
			env: {HOME: join(project.dir, '../home')},
			attended: false,
			trustPresent: true,
			model: {name: 'told/model', load: async () => model},
		});
		expect(await pod.send({method: 'run', segments: [{type: 'text', text: 'go'}]})).toEqual({accepted: true});
		await pod.send({method: 'shutdown'});
		expect(await isThere(marker)).toBe(true);
	});

	it('gets the variables of its entry unreplaced', async () => {
		const {project} = await bringing({env: {A: '${HOME} ${ANTHROPIC_API_KEY}'}});
		const told = await testPod(project, {
			model: eventModel(yes),
			env: {HOME: join(project.dir, '../home'), ANTHROPIC_API_KEY: 'sk-secret'},
		});
		const card = await answering(told, 'trust');
		expect(card).toContain('${HOME} ${ANTHROPIC_API_KEY}');
		expect(await told.pod.mcp()).toMatchObject([
			{
				state: 'ready',
				sentence: 'Variables like ${NAME} are replaced only in your own mcp.json, not here.',
			},
		]);
	});
});

describe('an MCP server of the project whose entry names a link', () => {
	/** Creates a link `way` to `one`. The server writes the folder of its start to a file. */
	async function linked(entry: Readonly<Record<string, unknown>>): Promise<{
		readonly project: TempProject;
		readonly started: () => Promise<string>;
		readonly turn: () => Promise<void>;
		readonly define: () => Promise<void>;
	}> {
		const {project, name} = await bringing();
		const place = project.path('../place');
		const server =
			`#!${process.execPath}\nimport {writeFileSync} from 'node:fs'; ` +
			`writeFileSync(${JSON.stringify(place)}, process.cwd() + ' ' + import.meta.filename); ` +
			`process.exit(1);`;
		for (const folder of ['one', 'two']) {
			await project.write(`${folder}/run.mjs`, server);
			await chmod(project.path(`${folder}/run.mjs`), 0o755);
		}
		await project.link('way', 'one');
		await name(entry);
		return {
			project,
			started: async () => readFile(place, 'utf8').catch(() => 'nowhere'),
			define: async () => name(entry),
			async turn() {
				await rm(project.path('way'));
				await project.link('way', 'two');
			},
		};
	}
	const entries: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
		['its folder', {command: process.execPath, args: ['run.mjs'], cwd: 'way'}],
		['its program', {command: './way/run.mjs', args: []}],
	];

	it.each(entries)('shows the link’s target on the card: %s', async (_, entry) => {
		const {project} = await linked(entry);
		const told = await testPod(project, {model: eventModel(yes)});
		expect(await answering(told, 'deny')).toContain(` it leads to:\n${project.path('one')}`);
	});

	it.each(entries)('is not started when the link changes while the card is open: %s', async (_, entry) => {
		const {project, started, turn, define} = await linked(entry);
		// The server is defined after the start, so that the run asks, and has read the entry before.
		await rm(project.path('.mcp.json'));
		const told = await testPod(project, {model: eventModel(yes, yes)});
		expect(await told.pod.mcp()).toEqual([]);
		await define();
		const receipt = told.run('go');
		await told.until(() => told.status().asks.length > 0);
		await turn();
		await told.pod.send({method: 'answer', askId: told.status().asks[0]!.id, choice: 'trust'});
		await receipt;
		await told.rest();
		expect([await started(), alerts(told.events).at(-1)]).toEqual([
			'nowhere',
			expect.stringContaining('led elsewhere after you were asked'),
		]);
		expect(await answering(told, 'trust', 'again')).toContain(project.path('two'));
		expect(await started()).toContain(project.path('two'));
	});

	it.each(entries)('needs trust again when the link has another target: %s', async (_, entry) => {
		const {project, started, turn} = await linked(entry);
		await answering(await testPod(project, {model: eventModel(yes)}), 'trust');
		expect(await started()).toContain(project.path('one'));
		await turn();
		const later = await testPod(project, {model: eventModel(yes)});
		expect(await answering(later, 'deny')).toContain(project.path('two'));
		expect(await started()).toContain(project.path('one'));
	});
});

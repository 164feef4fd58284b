import {lchown} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {doctor} from '../../../src/cli/doctor.ts';
import {loadManifest} from '../../../src/pod/open/manifest/load-manifest.ts';
import {planStart} from '../../../src/pod/open/start/plan.ts';
import {giveAway, isRoot, otherUid} from '../../helpers/other-user.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

const rule = (tool: string) => `[[permission]]\ntool = "${tool}"\naction = "deny"\n`;
const document = (text: string) => `---\ndescription: d\n---\n${text}\n`;
const server = (name: string) => JSON.stringify({mcpServers: {[name]: {command: name}}});

describe('a start in a project of another user', () => {
	const start = (project: TempProject) =>
		({cwd: project.dir, readOnly: false, addDirs: [], session: {kind: 'new'}, model: 'offline'}) as const;
	const config = '../home/.config/inkpod/config.toml';
	it('lists what is not used and the line that allows it, and uses it with that line', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': rule('mcp__theirs__x'), [config]: ''});
		await giveAway(project.dir, project.path('.git'), project.path('inkpod.toml'));
		const env = {HOME: project.path('../home')};
		const first = await planStart(start(project), env);
		if (!first.ok) throw new Error(first.sentence);
		expect(first.plan.warnings).toHaveLength(1);
		const line = /add this to "(.*?)": \[trust\] (safe_directories = \[".*"\])\.$/.exec(first.plan.warnings[0]!)!;
		expect(line[1]).toBe(project.path(config));
		await project.write(config, `[trust]\n${line[2]}\n`);
		const second = await planStart(start(project), env);
		expect(second.ok && second.plan).toMatchObject({
			warnings: [],
			approval: {rules: {project: [{tool: 'mcp__theirs__x'}]}},
			owners: {safe: [project.dir]},
		});
	});
	it('is reported by the doctor', async () => {
		const project = await tempProject({
			'.git/': '',
			'inkpod.toml': '',
			'AGENTS.md': '',
			'CLAUDE.md': '',
			'.mcp.json': server('s'),
			'.gitignore': '',
			'.inkpod/workflows/a.md': document('x'),
		});
		const names = ['inkpod.toml', 'AGENTS.md', 'CLAUDE.md', '.mcp.json', '.gitignore', '.inkpod/workflows/a.md'];
		await giveAway(...names.map(name => project.path(name)));
		let text = '';
		await doctor({
			cwd: project.dir,
			json: false,
			version: '0',
			env: {HOME: project.path('../home')},
			stdout: {write: part => (text += part)},
		});
		const told = text.split('\n').filter(line => line.includes('safe_directories'));
		for (const name of names)
			expect
				.soft(
					told.filter(line => line.includes(name)),
					name,
				)
				.not.toEqual([]);
	});
	it('makes the doctor name instructions that a rule forbids', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': rule('read_file'), 'AGENTS.md': 'x'});
		let text = '';
		const stdout = {write: (part: string) => (text += part)};
		await doctor({cwd: project.dir, json: false, version: '0', env: {HOME: project.path('../home')}, stdout});
		expect(text).toMatch(/· AGENTS\.md +".*AGENTS\.md" was not sent to the model: .*rule/);
	});
	it.each([
		'safe_directories = ["x"]',
		'safe_directories = ["*"]',
		'safe_directories = ["/a/../b"]',
		'safe_directories = "/a"',
		'safe_directories = [1]',
	])('refuses %s', async line => {
		const project = await tempProject({[config]: `[trust]\n${line}\n`});
		expect(await planStart(start(project), {HOME: project.path('../home')})).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('config.toml:2: trust.safe_directories') as unknown,
		});
	});
	it('cannot be declared safe by the project itself', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': '[trust]\nsafe_directories = ["/*"]\n'});
		const loaded = await loadManifest({start: project.dir});
		expect(loaded).toMatchObject({
			ok: true,
			manifest: {warning: expect.stringContaining('unknown key trust') as unknown},
		});
		expect(JSON.stringify(loaded)).not.toContain('"/*"');
	});
	it.runIf(isRoot)('is allowed if it belongs to the user who ran sudo', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': rule('mcp__theirs__x'), 'AGENTS.md': 'theirs'});
		for (const name of ['.', '.git', 'inkpod.toml', 'AGENTS.md'])
			await lchown(project.path(name), otherUid, otherUid);
		const planned = await planStart(start(project), {HOME: project.path('../home'), SUDO_UID: String(otherUid)});
		expect(planned.ok && planned.plan).toMatchObject({
			warnings: [],
			approval: {rules: {project: [{tool: 'mcp__theirs__x'}]}},
		});
	});
});

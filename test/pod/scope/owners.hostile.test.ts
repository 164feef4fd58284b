import {spawn} from 'node:child_process';
import {chmod} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {createListFolder} from '../../../src/pod/references/completion/listing.ts';
import {createInstructions} from '../../../src/pod/references/instructions/instructions.ts';
import {loadMcpConfig} from '../../../src/pod/servers/mcp/config.ts';
import {findMcpFiles} from '../../../src/pod/servers/mcp/config-files.ts';
import {loadManifest} from '../../../src/pod/open/manifest/load-manifest.ts';
import {ownersOf} from '../../../src/pod/scope/owners.ts';
import {createScope, type Owners, type Scope} from '../../../src/pod/scope/scope.ts';
import {walkFiles} from '../../../src/pod/tools/search/walk.ts';
import type {Trust} from '../../../src/pod/permissions/trust/trust.ts';
import {createWorkflows, type Workflows} from '../../../src/pod/references/workflows/workflows.ts';
import {countedClock} from '../../helpers/clock.ts';
import {giveAway, isRoot} from '../../helpers/other-user.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

const {signal} = new AbortController();
const rule = (tool: string) => `[[permission]]\ntool = "${tool}"\naction = "deny"\n`;
const document = (text: string) => `---\ndescription: d\n---\n${text}\n`;
const server = (name: string) => JSON.stringify({mcpServers: {[name]: {command: name}}});

describe('an inkpod.toml of another user', () => {
	it('is skipped for the one above it, and is listed', async () => {
		const project = await tempProject({
			'.git/': '',
			'inkpod.toml': rule('mcp__mine__x'),
			'sub/inkpod.toml': rule('mcp__theirs__x'),
		});
		await giveAway(project.path('sub/inkpod.toml'));
		const found = await loadManifest({start: project.path('sub')});
		expect(found).toMatchObject({
			ok: true,
			manifest: {permissions: [{tool: 'mcp__mine__x'}], skipped: [{path: project.path('sub/inkpod.toml')}]},
		});
	});
	it('is ignored in its own folder', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': '[scope]\nwritable = false\n'});
		await giveAway(project.path('inkpod.toml'));
		expect(await loadManifest({start: project.dir})).toMatchObject({
			ok: true,
			manifest: {pwd: project.dir, writable: true, skipped: [{folder: project.dir}]},
		});
	});
	it('is not parsed', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': 'x = ['});
		await giveAway(project.path('inkpod.toml'));
		expect((await loadManifest({start: project.dir})).ok).toBe(true);
	});
	it('is used if its folder is safe', async () => {
		const project = await tempProject({'.git/': '', 'inkpod.toml': rule('mcp__theirs__x')});
		await giveAway(project.dir, project.path('.git'), project.path('inkpod.toml'));
		const found = await loadManifest({start: project.dir, owners: ownersOf({}, [project.dir])});
		expect(found).toMatchObject({manifest: {permissions: [{tool: 'mcp__theirs__x'}]}});
		expect(found.ok && found.manifest.skipped).toBeUndefined();
	});
	it('is used if you name it', async () => {
		const project = await tempProject({'inkpod.toml': rule('mcp__theirs__x')});
		await giveAway(project.dir, project.path('inkpod.toml'));
		expect(await loadManifest({start: project.dir, file: 'inkpod.toml'})).toMatchObject({
			manifest: {permissions: [{tool: 'mcp__theirs__x'}]},
		});
	});
});

describe('a .git of another user', () => {
	it('marks no root, so that nothing above the start directory is used', async () => {
		const project = await tempProject({
			'.git/': '',
			'inkpod.toml': rule('above'),
			'.mcp.json': server('above'),
			'AGENTS.md': 'above',
			'sub/': '',
		});
		await giveAway(project.path('.git'));
		const pwd = project.path('sub');
		expect(await loadManifest({start: pwd})).toMatchObject({
			manifest: {pwd, skipped: [{path: project.path('.git')}]},
		});
		expect(await serversIn(pwd)).toEqual({names: [], remarks: []});
		expect(await instructionsIn(pwd)).toEqual({texts: [], warnings: []});
	});
	it('is skipped, and your own git root above it is used', async () => {
		const project = await tempProject({'.git/': '', 'AGENTS.md': 'above', 'sub/.git/': '', 'sub/AGENTS.md': 'own'});
		await giveAway(project.path('sub/.git'));
		expect((await instructionsIn(project.path('sub'))).texts).toEqual(['above', 'own']);
	});
});

describe('AGENTS.md and CLAUDE.md of another user', () => {
	it.each([
		['AGENTS.md gives way to CLAUDE.md', ['AGENTS.md'], ['claude']],
		['CLAUDE.md is not searched', ['CLAUDE.md'], ['agents']],
		['neither is used', ['AGENTS.md', 'CLAUDE.md'], []],
	])('are handled folder by folder: %s', async (_, given, texts) => {
		const project = await tempProject({'.git/': '', 'AGENTS.md': 'agents', 'CLAUDE.md': 'claude'});
		await giveAway(...given.map(name => project.path(name)));
		const found = await instructionsIn(project.dir);
		expect(found.texts).toEqual(texts);
		expect(found.warnings).toEqual(
			given[0] === 'CLAUDE.md' ? [] : [expect.stringMatching(/ safe_directories = \[".*"\]\.$/)],
		);
		if (given[0] !== 'CLAUDE.md')
			for (const name of given) expect(found.warnings[0]).toContain(`"${project.path(name)}"`);
	});
	it('are used if their folder is safe', async () => {
		const project = await tempProject({'.git/': '', 'AGENTS.md': 'theirs'});
		await giveAway(project.dir, project.path('AGENTS.md'));
		expect(await instructionsIn(project.dir, ownersOf({}, [project.dir]))).toEqual({
			texts: ['theirs'],
			warnings: [],
		});
	});
	it('do not affect your own files in a folder like /tmp', async () => {
		const project = await tempProject({'.git/': '', 'AGENTS.md': 'own'});
		await chmod(project.dir, 0o1777);
		expect(await instructionsIn(project.dir)).toEqual({texts: ['own'], warnings: []});
	});
});

describe('an .mcp.json of another user', () => {
	it('is skipped for the one above it, with a remark', async () => {
		const project = await tempProject({
			'.git/': '',
			'.mcp.json': server('mine'),
			'sub/.mcp.json': server('theirs'),
		});
		await giveAway(project.path('sub/.mcp.json'));
		expect(await serversIn(project.path('sub'))).toEqual({
			names: ['mine'],
			remarks: [warningOf(project, 'sub/.mcp.json', 'sub')],
		});
	});
	it('is used if its folder is safe', async () => {
		const project = await tempProject({'.git/': '', '.mcp.json': server('theirs')});
		await giveAway(project.path('.mcp.json'));
		expect(await serversIn(project.dir, ownersOf({}, [project.dir]))).toEqual({names: ['theirs'], remarks: []});
	});
});

describe('a workflow or Knowledge file of another user', () => {
	const files = {
		'.inkpod/workflows/review.md': document('theirs'),
		'.agents/skills/tool/SKILL.md': '---\nname: tool\ndescription: d\n---\ntheirs\n',
		'../home/.config/inkpod/workflows/review.md': document('own'),
	};
	it('is skipped for yours, and is listed', async () => {
		const project = await tempProject(files);
		await giveAway(project.path('.inkpod/workflows/review.md'));
		const {workflows, warnings} = workflowsIn(project);
		const list = await workflows.list();
		expect(list.map(({slug, source, error}) => [slug, source, error !== undefined])).toEqual([
			['review', 'user', false],
			['tool', 'skill', false],
			['review', 'project', true],
		]);
		expect(warnings).toEqual([
			expect.stringMatching(/^\.inkpod\/workflows\/review\.md is not used: .* safe_directories = \["/),
		]);
		expect(await bodyOf(workflows, 'review')).toContain('own');
	});
	it('is refused with the reason when there is no alternative', async () => {
		const project = await tempProject({'.inkpod/workflows/only.md': document('theirs')});
		await giveAway(project.path('.inkpod/workflows/only.md'));
		expect(await bodyOf(workflowsIn(project).workflows, 'only')).toMatch(
			/cannot be invoked: .*only\.md: .* safe_directories = /,
		);
	});
	it.each(['.inkpod', '.inkpod/workflows', '.'])('is skipped with its whole folder: %s', async folder => {
		const project = await tempProject(files);
		await giveAway(project.path(folder));
		const {workflows, warnings} = workflowsIn(project);
		expect((await workflows.list()).filter(({source}) => source === 'project')).toEqual([]);
		expect(warnings).toContainEqual(expect.stringContaining('workflows" is not used: '));
		expect(await bodyOf(workflows, 'review')).toContain('own');
	});
	it('stops the workflow that requires it', async () => {
		const project = await tempProject({
			'.inkpod/workflows/a.md': '---\ndescription: d\nrequires: [k]\n---\nx\n',
			'.inkpod/knowledge/k.md': 'theirs',
		});
		await giveAway(project.path('.inkpod/knowledge/k.md'));
		expect(await bodyOf(workflowsIn(project).workflows, 'a')).toMatch(/Knowledge #k.* safe_directories = /);
	});
	it('is used if the project is safe', async () => {
		const project = await tempProject(files);
		await giveAway(
			project.dir,
			...['.inkpod', '.inkpod/workflows/review.md', '.agents/skills/tool', '.agents/skills/tool/SKILL.md'].map(
				name => project.path(name),
			),
		);
		const {workflows, warnings} = workflowsIn(project, [project.dir]);
		expect((await workflows.list()).map(({slug, source}) => [slug, source])).toEqual([
			['review', 'project'],
			['tool', 'skill'],
		]);
		expect(warnings.filter(text => text.includes('not used'))).toEqual([]);
	});
});

describe('a .gitignore of another user', () => {
	it.each([
		['', true],
		['sub', false],
	])('does not affect the search for files (in %j)', async (folder, isListed) => {
		const project = await tempProject({
			'.git/': '',
			[`${folder}/.gitignore`]: '*.txt\n',
			'sub/a.txt': '',
			'sub/b.md': '',
		});
		await giveAway(project.path(`${folder}/.gitignore`));
		const names = async (owners?: Owners) =>
			(
				await walkFiles(project.dir, {scope: await scopeIn(project.dir, owners), accepts: () => true, signal})
			).files.filter(file => file.endsWith('a.txt')).length;
		expect(await names()).toBe(1);
		expect(await names(ownersOf({}, [`${project.dir}/*`]))).toBe(0);
		const listing = await createListFolder()(await scopeIn(project.dir), 'sub');
		expect(listing.ok && [...Array(listing.rows.size).keys()].some(row => listing.rows.entry(row).ignored)).toBe(
			false,
		);
		expect((await instructionsIn(project.dir)).warnings).toEqual(
			isListed ? [warningOf(project, '.gitignore')] : [],
		);
	});
});

describe('a file that is replaced during the check', () => {
	const swaps = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 400;
	it.runIf(isRoot)('is never used if it belongs to another user', async () => {
		const project = await tempProject({'.git/': '', 'a/AGENTS.md': 'mine', 'b/AGENTS.md': 'theirs'});
		await giveAway(project.path('b/AGENTS.md'));
		await project.link('AGENTS.md', 'a/AGENTS.md');
		const swapper = spawn(process.execPath, ['-e', swapLinks], {cwd: project.dir, stdio: 'ignore'});
		const seen = new Set<string>();
		try {
			for (let turn = 0; turn < swaps; turn += 1)
				for (const text of (await instructionsIn(project.dir)).texts) seen.add(text);
		} finally {
			swapper.kill('SIGKILL');
		}
		expect([...seen]).toEqual(['mine']);
	});
});

/** A program that alternates a link between two files as fast as it can. */
const swapLinks = `
	const fs = require('node:fs');
	for (let turn = 0; ; turn++) {
		fs.symlinkSync(turn % 2 ? 'a/AGENTS.md' : 'b/AGENTS.md', 'next');
		fs.renameSync('next', 'AGENTS.md');
	}
`;

async function scopeIn(pwd: string, owners?: Owners): Promise<Scope> {
	const created = await createScope({home: '/', pwd});
	if (!created.ok) throw new Error(created.reason);
	return {...created.scope, ...(owners && {owners})};
}

async function instructionsIn(
	pwd: string,
	owners?: Owners,
): Promise<{readonly texts: readonly string[]; readonly warnings: readonly string[]}> {
	const warnings: string[] = [];
	const instructions = createInstructions({
		scope: await scopeIn(pwd, owners),
		items: () => [],
		clock: countedClock(),
		onWarning: sentence => void warnings.push(sentence),
	});
	const messages = await instructions.due([], signal);
	return {texts: messages.map(({text}) => text.split('\n')[1]!), warnings};
}

async function serversIn(
	pwd: string,
	owners?: Owners,
): Promise<{readonly names: readonly string[]; readonly remarks: readonly string[]}> {
	const {entries, remarks} = await loadMcpConfig(
		await findMcpFiles({pwd, env: {HOME: '/nowhere'}, ...(owners && {owners})}),
		{},
		owners,
	);
	return {names: entries.map(({name}) => name), remarks};
}

function workflowsIn(
	project: TempProject,
	safe: readonly string[] = [],
): {readonly workflows: Workflows; readonly warnings: readonly string[]} {
	const warnings: string[] = [];
	const env = {HOME: project.path('../home')};
	const trust: Pick<Trust, 'check'> = {check: async () => 'trusted'};
	return {
		warnings,
		workflows: createWorkflows({
			pwd: project.dir,
			env,
			owners: ownersOf(env, safe),
			clock: countedClock(),
			trust,
			omitsShipped: true,
			onWarning: sentence => void warnings.push(sentence),
		}),
	};
}

async function bodyOf(workflows: Workflows, slug: string): Promise<string> {
	const invoked = await workflows.source.invoke(slug, '', signal);
	return invoked.ok ? invoked.drafts.map(draft => ('text' in draft ? draft.text : '')).join('\n') : invoked.sentence;
}

function warningOf(project: TempProject, name: string, folder = ''): unknown {
	return expect.stringMatching(
		new RegExp(
			`^"${project.path(name)}" is not used: .* safe_directories = \\["${project.path(folder).replace(/\/$/, '')}"\\]\\.$`,
		),
	);
}

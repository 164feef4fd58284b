import {describe, expect, it} from 'vitest';
import {loadMcpConfig, type McpConfig} from '../../../../src/pod/servers/mcp/config.ts';
import {findMcpFiles} from '../../../../src/pod/servers/mcp/config-files.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const own = '../home/.config/inkpod/mcp.json';
const env = (project: TempProject, more: Readonly<Record<string, string>> = {}) => ({
	HOME: project.path('../home'),
	...more,
});

async function load(
	project: TempProject,
	{pwd = project.dir, more = {}}: {readonly pwd?: string; readonly more?: Readonly<Record<string, string>>} = {},
): Promise<McpConfig> {
	return loadMcpConfig(await findMcpFiles({pwd, env: env(project, more)}), env(project, more));
}

/** Returns the problem of a user's file. */
async function complaint(text: string, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
	const project = await tempProject({[own]: text});
	const {problems, broken} = await load(project, {more});
	return [...problems, ...broken.map(({sentence}) => sentence)].map(sentence =>
		sentence.replace(project.path(own), 'mcp.json'),
	);
}

const one = (entry: unknown, name = 's') => JSON.stringify({mcpServers: {[name]: entry}});

describe('the configuration files of MCP servers', () => {
	it('belong to the user and to the project, and for one name the user’s entry wins, with a remark', async () => {
		const project = await tempProject({
			'.git/': '',
			'sub/': '',
			'.mcp.json': JSON.stringify({
				mcpServers: {both: {command: 'theirs'}, theirs: {type: 'http', url: 'https://a.example/mcp?key=1'}},
			}),
			[own]: JSON.stringify({mcpServers: {both: {command: 'mine', args: ['a b']}}}),
		});
		const {entries, remarks, broken, problems} = await load(project, {pwd: project.path('sub')});
		expect(entries.map(({name, source, target}) => [name, source, target])).toEqual([
			['both', 'user', 'mine "a b"'],
			['theirs', 'project', 'https://a.example/mcp'],
		]);
		expect(remarks).toEqual([
			`The MCP server both in ${project.path('.mcp.json')} is not used: ` +
				`${project.path(own).replace('/project/..', '')} has a server of that name, too.`,
		]);
		expect([broken, problems]).toEqual([[], []]);
	});

	it.each(['my_files', 'my.files', 'my  files', '_my-files', 'My files'])(
		'leave out a project’s %j beside the user’s “my files” if their tools would have the same names',
		async name => {
			const project = await tempProject({
				'.mcp.json': one({command: 'theirs'}, name),
				[own]: one({command: 'mine'}, 'my files'),
			});
			const isOther = name === '_my-files' || name === 'My files';
			expect((await load(project)).entries.map(({start}) => 'command' in start && start.command)).toEqual(
				isOther ? ['mine', 'theirs'] : ['mine'],
			);
		},
	);

	it('are ignored above the start directory when there is no git root', async () => {
		const project = await tempProject({'sub/': '', '.mcp.json': one({command: 'x'})});
		expect(await findMcpFiles({pwd: project.path('sub'), env: env(project)})).toEqual({});
	});

	it('count as the user’s when one file is both the user’s and the project’s', async () => {
		const project = await tempProject({'mcp.json': one({command: 'x'})});
		await project.link('.mcp.json', 'mcp.json');
		await project.link(own, project.path('mcp.json'));
		expect((await load(project)).entries.map(({source}) => source)).toEqual(['user']);
	});

	it('are reported when they have VS Code’s key', async () => {
		expect(await complaint('{"servers": {}}')).toEqual([
			'mcp.json: the key mcpServers is missing (inkpod does not read servers, the key of VS Code).',
		]);
		const project = await tempProject({[own]: '{"servers": {}, "mcpServers": {}}'});
		expect((await load(project)).remarks).toEqual([
			expect.stringContaining('the key servers is for VS Code and is ignored'),
		]);
	});

	it.each<[string, string, string]>([
		[
			'no JSON',
			'{\n  "mcpServers": {"s": {"env": {"T": "sk-secret" "x"}}}\n}',
			'mcp.json: this is not valid JSON (line 2, column 49).',
		],
		['a list', '[]', 'mcp.json: the file must be a JSON object.'],
		['servers in a list', '{"mcpServers": []}', 'mcp.json: mcpServers must be a JSON object.'],
	])('are ignored when they are %s', async (_, text, sentence) => {
		expect(await complaint(text)).toEqual([sentence]);
	});
});

describe('an entry of an MCP server', () => {
	it.each<[string, unknown, string]>([
		['without any keys', {}, 'mcp.json: mcpServers.s has neither a command nor a url.'],
		['that is a text', 'npx', 'mcp.json: mcpServers.s must be a table.'],
		[
			'with both',
			{command: 'a', url: 'https://b.example'},
			'mcp.json: mcpServers.s has a command and a url: remove one of them.',
		],
		['whose command is a list', {command: ['a']}, 'mcp.json: mcpServers.s.command must be text in quotes.'],
		['whose args are a text', {command: 'a', args: '-y b'}, 'mcp.json: mcpServers.s.args must be a list.'],
		[
			'with a number as a variable',
			{command: 'a', env: {PORT: 1}},
			'mcp.json: mcpServers.s.env.PORT must be text in quotes.',
		],
		[
			'with an unknown transport',
			{url: 'https://b.example', type: 'websocket'},
			'mcp.json: mcpServers.s.type must be one of stdio, http, streamable-http, streamableHttp, sse.',
		],
		[
			'whose transport does not fit its other keys',
			{command: 'a', type: 'http'},
			'mcp.json: mcpServers.s has a command, but its transport is http.',
		],
		[
			'with an address of another kind',
			{url: 'file:///etc/passwd'},
			'mcp.json: mcpServers.s.url must begin with http:// or https://.',
		],
		[
			'with a password in its address',
			{url: 'https://u:sk-secret@b.example'},
			'mcp.json: mcpServers.s.url contains a password: put it into a header.',
		],
		[
			'with a header that has two lines',
			{url: 'https://b.example', headers: {A: 'x\r\nB: sk-secret'}},
			'mcp.json: mcpServers.s.headers: A is not a valid header.',
		],
		[
			'with a variable that is not set',
			{command: 'a', args: ['${NOWHERE}']},
			'mcp.json: mcpServers.s uses the variable NOWHERE, which is not set.',
		],
		[
			'with the key of a model',
			{url: 'https://b.example', headers: {Authorization: 'Bearer ${ANTHROPIC_API_KEY}'}},
			'mcp.json: mcpServers.s uses ANTHROPIC_API_KEY: model API keys are not passed to servers.',
		],
	])('is ignored with file and key, and without a secret in the sentence: %s', async (_, entry, sentence) => {
		expect(await complaint(one(entry), {ANTHROPIC_API_KEY: 'sk-secret'})).toEqual([sentence]);
	});

	it.each(['', 'a/b', 'a\u001b[31m', 'x'.repeat(65), '-a'])('named %j is left out', async name => {
		expect(await complaint(JSON.stringify({mcpServers: {[name]: {command: 'a'}}}))).toEqual([
			expect.stringContaining('use 1 to 64 letters'),
		]);
	});

	it('does not affect the others when it is broken', async () => {
		const project = await tempProject({
			[own]:
				'{"mcpServers": {"__proto__": {"command": "p"}, "a": 1, "b": {"command": "b", "timeout": ' +
				'5, "headersHelper": "x"}}}',
		});
		const {entries, broken} = await load(project);
		expect(entries.map(({name}) => name)).toContain('b');
		expect(entries.at(-1)!.remarks).toEqual(['unknown keys: timeout, headersHelper']);
		expect(broken.map(({name}) => name)).toEqual(['a']);
	});

	it('has its variables replaced in the user’s file, and lists do not show their values', async () => {
		const project = await tempProject({
			[own]: JSON.stringify({
				mcpServers: {
					a: {
						command: '${BIN}',
						args: ['--key', '${KEY}', '${NONE:-x y}', '$HOME', '${'],
						env: {K: '${KEY}'},
						cwd: '${BIN}',
					},
					b: {url: '${URL}/mcp', headers: {K: 'v ${KEY}'}},
				},
			}),
		});
		const {entries, broken} = await load(project, {more: {BIN: '/bin/x', KEY: '${BIN}', URL: 'https://b.example'}});
		expect(broken).toEqual([]);
		expect(entries.map(({start}) => start)).toEqual([
			{
				transport: 'stdio',
				command: '/bin/x',
				args: ['--key', '${BIN}', 'x y', '$HOME', '${'],
				env: {K: '${BIN}'},
				cwd: '/bin/x',
			},
			{transport: 'http', url: 'https://b.example/mcp', headers: {K: 'v ${BIN}'}},
		]);
		expect(entries.map(({target}) => target)).toEqual([
			'${BIN} --key ${KEY} "${NONE:-x y}" $HOME ${',
			'${URL}/mcp',
		]);
	});
});

describe('a hostile .mcp.json', () => {
	const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
	it.each([
		['a deep value', `{"mcpServers": ${deep}}`, 'mcpServers must be a JSON object.'],
		['a deep entry', `{"mcpServers": {"s": ${deep}}}`, 'mcpServers.s must be a table.'],
		[
			'a deep key of an entry',
			`{"mcpServers": {"s": {"command": ${deep}}}}`,
			'mcpServers.s.command must be text in quotes.',
		],
		['an open list', `{"mcpServers": ${'['.repeat(200_000)}`, 'this is not valid JSON'],
		[
			'many variables',
			`{"mcpServers": {"s": {"env": {${Array.from({length: 15_000}, (_, index) => `"k${index}": 1`).join()}}}}}`,
			'mcpServers.s.env.k0 must be text in quotes.',
		],
		[
			'many servers',
			`{"mcpServers": {${Array.from({length: 15_000}, (_, index) => `"k${index}": 1`).join()}}}`,
			'mcpServers has more than 64 servers.',
		],
		[
			'a file that is too large',
			`{"mcpServers": {}}${' '.repeat(262_144)}`,
			'is larger than 256 KB, the most that inkpod reads of such a file. Make it shorter.',
		],
		['a very long name', `{"mcpServers": {"${'n'.repeat(100_000)}": {}}}`, 'use 1 to 64 letters'],
	])('is refused in one short sentence: %s', async (_, text, part) => {
		const project = await tempProject({'.git/': '', '.mcp.json': text});
		const {problems, broken, entries} = await load(project);
		const sentences = [...problems, ...broken.map(({sentence}) => sentence)];
		expect(entries).toEqual([]);
		expect(sentences).toEqual([expect.stringContaining(part)]);
		expect(sentences[0]!.length).toBeLessThan(500);
	});

	it('gets a remark for each entry with variables', async () => {
		const names = ['a', 'b', 'c'];
		const project = await tempProject({
			'.git/': '',
			'.mcp.json': JSON.stringify({mcpServers: Object.fromEntries(names.map(name => [name, {command: '${X}'}]))}),
		});
		expect((await load(project)).entries.map(({remarks}) => remarks.length)).toEqual([1, 1, 1]);
	});
});

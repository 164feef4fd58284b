import {chmod, readdir} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {withTime} from '../../../helpers/cpu-time.ts';
import {configure} from '../../../helpers/mcp-server.ts';
import {openServers} from './open-servers.ts';

describe('the start of an MCP server', () => {
	it('does not delay runs when the server never answers, and times out', async () => {
		// This is long enough for the working server to start.
		const {
			result: {mcp, warnings, prepare},
			ms: patience,
		} = await withTime(
			async ms => {
				const made = await openServers(
					{mute: 'initialize = () => {}; setInterval(() => {}, 1000);', good: `tools = [tool('t')];`},
					{patience: ms, start: 4 * ms},
				);
				await made.prepare();
				return made;
			},
			({mcp}) => mcp.tools().length === 1,
		);
		expect(mcp.tools().map(({definition}) => definition.name)).toEqual(['mcp__good__t']);
		expect(await mcp.list()).toMatchObject([
			{name: 'mute', state: 'starting'},
			{name: 'good', state: 'ready'},
		]);
		expect(warnings).toEqual([
			expect.stringContaining(
				`The MCP server mute has not answered for ${patience / 1000} s. The run continues without it`,
			),
		]);
		await prepare();
		expect(warnings).toHaveLength(1);
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('failed');
		expect(warnings[1]).toBe(
			`The MCP server mute could not be started: it did not answer within ${(4 * patience) / 1000} s.`,
		);
	});

	it('brings the tools of a slow server to a later run', async () => {
		const {mcp, prepare} = await openServers(
			{slow: `const now = initialize; initialize = id => setTimeout(() => now(id), 600); tools = [tool('t')];`},
			{patience: 100},
		);
		await prepare();
		expect(mcp.tools()).toEqual([]);
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('ready');
		expect(mcp.tools()).toEqual([]);
		await prepare();
		expect(mcp.tools()).toHaveLength(1);
	});

	it('reports the last line of the server’s stderr, made harmless, when the server ends', async () => {
		const {mcp, warnings, prepare} = await openServers({
			dead:
				String.raw`process.stderr.write('first\n\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eturned\n'); ` +
				'process.exit(3);',
		});
		await prepare();
		expect(warnings).toEqual([
			'The MCP server dead could not be started: it ended with exit code 3. Last output: red turned',
		]);
		expect((await mcp.list())[0]).toMatchObject({
			state: 'failed',
			sentence: expect.stringContaining('Last output:\nfirst\nred') as unknown,
		});
	});

	it('reports a program or a folder that does not exist', async () => {
		const {mcp, warnings, prepare, project} = await openServers({});
		await configure(project, {
			none: {command: 'no-such-program-here'},
			nowhere: {command: process.execPath, cwd: 'gone'},
			null: {command: 'a\0b'},
		});
		await prepare();
		expect(warnings.toSorted()).toEqual([
			'The MCP server none could not be started: there is no such program.',
			`The MCP server nowhere could not be started: there is no folder ${project.path('gone')}.`,
			'The MCP server null could not be started: its command contains a NUL byte.',
		]);
		expect((await mcp.list()).map(({state}) => state)).toEqual(['failed', 'failed', 'failed']);
	});

	it('does not look up the program in a relative folder of PATH', async () => {
		const {warnings, prepare, project} = await openServers({});
		await chmod(await project.write('bin/server', '#!/bin/sh\ntouch owned\n'), 0o755);
		await configure(project, {s: {command: 'server', env: {PATH: 'bin:./bin::.'}}});
		await prepare();
		expect(warnings).toEqual(['The MCP server s could not be started: there is no such program.']);
		expect(await readdir(project.dir)).toEqual(['bin']);
	});

	it('fails when the server answers nonsense', async () => {
		const {warnings, prepare} = await openServers({
			odd:
				`say('Listening on stdio!\\n[1, 2\\n"x"\\n{"jsonrpc":"2.0","id":99,"result":{}}\\n'); ` +
				`initialize = id => answer(id, {hello: 1});`,
			list: `tools = 'many';`,
		});
		await prepare();
		expect(warnings.toSorted()).toEqual([
			'The MCP server list could not be started: its answer does not follow the protocol.',
			'The MCP server odd could not be started: its answer does not follow the protocol.',
		]);
	});
});

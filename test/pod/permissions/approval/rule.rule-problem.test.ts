import {mkdir, mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {matchProblem} from '../../../../src/pod/permissions/approval/rule.ts';
import {loadConfig} from '../../../../src/pod/config/config.ts';
import {toolFacts} from '../../../../src/pod/protocol/tool-definitions.ts';
import {loadManifest} from '../../../../src/pod/open/manifest/load-manifest.ts';

/** Returns the problem of a rule for a tool in both files, or `undefined` if the configuration accepts it. */
async function problemIn(file: 'config.toml' | 'inkpod.toml', tool: string): Promise<string | undefined> {
	const base = await mkdtemp(join(tmpdir(), 'inkpod-rules-'));
	const folder = join(base, 'inkpod');
	await mkdir(join(folder, '.git'), {recursive: true});
	await writeFile(join(folder, file), `[[permission]]\ntool = ${JSON.stringify(tool)}\naction = "deny"\n`);
	const read =
		file === 'config.toml'
			? await loadConfig({XDG_CONFIG_HOME: base})
			: await loadManifest({start: folder, trusted: async () => true});
	return read.ok ? undefined : read.sentence.replace(/^.*:2: permission\.0\.tool /, '');
}

describe('a rule about an unknown tool', () => {
	it.each([
		['Read', 'read_file'],
		['read', 'read_file'],
		['Edit', 'edit_file'],
		['Write', 'write_file'],
		['Bash', 'bash'],
		['WebFetch', 'fetch'],
		['web_fetch', 'fetch'],
		['Bash(git push:*)', 'bash'],
		['Grep', 'grep'],
		['gerp', 'grep'],
		['Glob', 'glob'],
		['readfile', 'read_file'],
		['read-file', 'read_file'],
		['raed_file', 'read_file'],
		['Edit*', 'edit_file'],
		['bash ', 'bash'],
		['workflows', 'workflow'],
		['mcp__github', 'mcp__github__*'],
		['mcp__github__', 'mcp__github__*'],
		['mcp__my server__run', 'mcp__my_server__run'],
		['mcp__my server__*', 'mcp__my_server__*'],
	])('is refused for %j, with the question: did you mean %j?', async (tool, meant) => {
		const sentence = `names no tool: ${JSON.stringify(tool)} (did you mean "${meant}"?).`;
		expect(await problemIn('inkpod.toml', tool)).toBe(sentence);
		expect(await problemIn('config.toml', tool)).toBe(sentence);
	});

	it.each(['web_search', 'Zebra', 'x', '日本', '\u001b[31m', 'a'.repeat(128)])(
		'is refused with the names of all tools when none is similar to %j',
		async tool => {
			const sentence = await problemIn('inkpod.toml', tool);
			expect(sentence).toContain(`The tools are ${toolFacts.map(({name}) => name).join(', ')}, mcp__*.`);
			expect(sentence).not.toMatch(/\u001b/);
		},
	);
});

describe('a rule about web addresses', () => {
	it('needs a pattern for addresses', () => {
		expect(matchProblem('fetch', 'https://docs.*')).toBeUndefined();
		expect(matchProblem('fetch', 'docs.example.com')).toContain('is not a pattern for web addresses');
		expect(matchProblem('fetch', 'https://docs.example.com*')).toContain('is not a pattern for web addresses');
		expect(matchProblem('glob', 'https://docs.*')).toContain('bash, fetch as the tool');
	});
});

describe('a rule whose tool is a name or a glob that may match', () => {
	it.each([
		['bash'],
		['read_file'],
		['workflow'],
		['*'],
		['*_file'],
		['edit_*'],
		['b*'],
		['g?ep'],
		['read\\_file'],
		['write_summary'],
		['mark_*'],
		['add_reference'],
		['mcp__*'],
		['mcp__github__*'],
		['mcp__github__create-issue'],
		['mcp__a_b__c__d'],
		['mcp_*'],
		['m*'],
		['*query'],
	])('is accepted for %j, whether or not a server has such a tool', async tool => {
		expect(await problemIn('inkpod.toml', tool)).toBeUndefined();
	});
});

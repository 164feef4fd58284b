import {describe, expect, it} from 'vitest';
import {helpKeys, helpText} from '../../../src/cli/help/usage.ts';
import {table} from '../../../src/cli/subcommands/list.ts';

describe('the help', () => {
	const lines = helpText(table).split('\n');

	it('has a line for each form and each listed option', () => {
		expect(lines).toContain('  inkpod -c, --continue      continue the most recent session in this directory');
		expect(lines).toContain(
			'  inkpod trash               list the trash (--restore ID: bring one back; --empty: delete all for good; --json)',
		);
		expect(lines).toContain(
			`  inkpod mcp add NAME        add an MCP server: -- COMMAND ARGS, or a URL (--project, --env K=V, --header 'K: V')`,
		);
		expect(lines).toContain('  -p, --print                    print mode');
		expect(lines).toContain('      --to FILE                  with export: write FILE instead of printing');
		expect(lines).toContain('                                 openai-compatible, offline or scripted:FILE');
		for (const {name} of table) expect(lines.some(line => line.startsWith(`  inkpod ${name}`))).toBe(true);
	});

	it('fits into 120 columns', () => {
		expect(lines.filter(line => line.length > 120)).toEqual([]);
	});

	it('keeps in English what is typed', () => {
		const texts = helpKeys(table);
		expect(texts).toContain('open the chat; a prompt is sent at once');
		expect(texts).toContain('openai-compatible, offline or scripted:FILE');
		expect(texts.filter(text => /^(?:inkpod [a-z]+ |--|-\w, )/.test(text))).toEqual([]);
		expect(texts.length).toBeGreaterThan(50);
	});
});

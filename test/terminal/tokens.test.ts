import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openChat, send} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, type ServerOptions, type WireName} from '../helpers/wire-servers/index.ts';

async function served(wire: WireName, options: ServerOptions = {}) {
	const usage = [
		{input: 10_000, output: 500},
		{input: 12_000, cacheRead: 9000, output: 500},
	].map(
		tokens =>
			[
				{type: 'text', text: 'Understood.'},
				{type: 'usage', ...tokens},
			] as const,
	);
	const server = await startServer(wire, usage, options);
	onTestFinished(async () => server.close());
	return server;
}

const statusLine = (terminal: Terminal) => terminal.rows().find(row => /^(?:◦|●|■) /.test(row)) ?? '';
const feet = (terminal: Terminal) =>
	terminal
		.rows()
		.filter(row => / in(?: \(\d+% cached\))? · /.test(row))
		.map(row => row.trim().replace(/^[\d.]+ s · /, ''));

describe('the usage of tokens', () => {
	it('is on the status line and under each turn, and does not change after a restart', async () => {
		const {dir} = await tempProject({});
		const server = await served('anthropic');
		const start = {cwd: dir, cols: 120, rows: 40, env: {ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: server.url}};
		const terminal = await openChat({...start, args: ['--model', 'anthropic/claude-opus-5-5']});
		await terminal.waitFor('anthropic/claude-opus-5-5');
		await send(terminal, 'Hello');
		await terminal.waitFor(/◦ idle [^\n]*claude-opus-5-5 · 10\.5k tokens \(1%\) · \$0\.05 /);
		await send(terminal, 'And again?');
		await terminal.waitFor(/◦ idle [^\n]*claude-opus-5-5 · 12\.5k tokens \(1%\) · \$0\.07 /);
		const shown = feet(terminal);
		expect(shown).toEqual(['10k in · 500 out · $0.05', '12k in (75% cached) · 500 out · $0.02']);
		const status = statusLine(terminal);
		terminal.write('\x04');
		await terminal.exit;
		const again = await openChat({
			...start,
			home: terminal.home,
			args: ['-c', '--model', 'anthropic/claude-opus-5-5'],
		});
		await again.waitFor(screen => screen.includes('12.5k') && screen.includes('75% cached'), {
			what: 'the restored screen',
		});
		expect([feet(again), statusLine(again)]).toEqual([shown, status]);
	});

	it('comes from the user’s own prices, or else from the server’s list of models', async () => {
		const {dir} = await tempProject({});
		const server = await served('openai-compatible', {
			models: {data: [{id: 'one', context_length: 40_000, pricing: {prompt: '0.000001', completion: '0.00002'}}]},
		});
		const start = {
			cwd: dir,
			cols: 120,
			rows: 40,
			args: ['--model', 'openai-compatible/one'],
			env: {OPENAI_COMPATIBLE_BASE_URL: server.url},
		};
		const terminal = await openChat(start);
		await terminal.waitFor('openai-compatible/one');
		await send(terminal, 'Hello');
		await terminal.waitFor(
			screen => /10\.5k tokens \(26%\) · \$0\.02 /.test(screen) && screen.includes('500 out · $0.02'),
			{
				what: 'what the list says',
			},
		);
		expect(server.looks).toHaveLength(1);
		terminal.write('\x04');
		await terminal.exit;
		await mkdir(join(terminal.home, '.config/inkpod'), {recursive: true});
		await writeFile(
			join(terminal.home, '.config/inkpod/config.toml'),
			'[prices."openai-compatible/one"]\ninput = 100\noutput = 0\n',
		);
		const again = await openChat({...start, home: terminal.home, args: ['-c', ...start.args]});
		await again.waitFor(screen => /10\.5k tokens · \$1\.00 /.test(screen) && screen.includes('500 out · $1.00'), {
			what: 'the person’s prices',
		});
	});
});

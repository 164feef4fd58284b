import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, transcript} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('the preflight', () => {
	it('shows the result for each reference before sending, and reports a missing file', async () => {
		const project = await tempProject({'src/a.ts': 'one\ntwo\n', 'big.log': 'x'.repeat(40_000), 'Missing.md': ''});
		const terminal = await openChat({cwd: project.dir, cols: 100, rows: 30});
		await terminal.waitFor('offline');
		terminal.write('see @src/a.ts and @big.log but @missing.md ');
		await terminal.waitFor('@src/a.ts  8 B · 2 lines');
		await terminal.waitFor('@big.log  16 KB of 39.1 KB · truncated');
		await terminal.waitFor('@missing.md  × there is no such file; did you mean Missing.md?');
		await terminal.waitFor(/≈ [\d,]+ tokens total/);
		terminal.write('\x15');
		await terminal.waitFor(screen => !screen.includes('tokens total'), {what: 'an empty draft'});
		terminal.write('/nothing here');
		terminal.write('\r');
		await terminal.waitFor('× Unknown command /nothing.');
		expect(terminal.screen().match(/Unknown command/g)).toHaveLength(1);
		expect(terminal.screen()).toContain('❯ /nothing here');
	});

	it('shows the tokens of pastes, and none after the message was sent', async () => {
		const project = await tempProject({});
		const terminal = await openChat({cwd: project.dir, cols: 100, rows: 30});
		await terminal.waitFor('offline');
		terminal.write(`\x1b[200~${'a line of a log\n'.repeat(40)}\x1b[201~`);
		await terminal.waitFor(/paste #1 {2}40 lines · ≈ [\d,]+ tokens/);
		terminal.write('why?');
		await terminal.waitFor(/≈ [\d,]+ tokens total\s/);
		terminal.write('\x1b[200~two\nlines\x1b[201~');
		await terminal.waitFor(/2 pastes {2}≈ [\d,]+ tokens · #1 \d+ · #2 \d+/);
		terminal.write('\r');
		await terminal.waitFor(screen => !screen.includes('2 pastes'), {what: 'a sent message'});
		await terminal.waitFor(idle);
	});

	it('sends a secret after a second Enter, unless the draft was edited in between', async () => {
		const project = await tempProject({'.env': 'KEY=1\n'});
		const terminal = await openChat({cwd: project.dir, cols: 100, rows: 30});
		await terminal.waitFor('offline');
		terminal.write('see @.env');
		await terminal.waitFor('@.env  ▲ looks like a secret: Enter twice to attach');
		terminal.write('\r');
		await terminal.waitFor('Press Enter again to attach it');
		await terminal.waitFor('@.env  ▲ looks like a secret: Enter to attach');
		terminal.write('x');
		terminal.write('\x7f');
		await terminal.waitFor('@.env  ▲ looks like a secret: Enter twice to attach');
		terminal.write('\r');
		await terminal.waitFor('@.env  ▲ looks like a secret: Enter to attach');
		const told = Date.now();
		while (Date.now() - told < 800) await new Promise(resolve => setImmediate(resolve));
		terminal.write('\r');
		await terminal.waitFor(/File \.env/);
		await terminal.waitFor(idle);
		expect(transcript(terminal).join('\n')).toMatch(/▌ see @\.env\n\n◇ File \.env · 1 line/);
		const {items} = await onlyHistory(terminal.home);
		expect(items.filter(item => item.type === 'message' && item['role'] === 'user')).toHaveLength(1);
	});

	it('neither sends nor loses a secret when Enter comes in the same read', async () => {
		const project = await tempProject({'.env': 'KEY=1\n'});
		const terminal = await openChat({cwd: project.dir, cols: 60, rows: 15});
		await terminal.waitFor('offline');
		terminal.write('see @.env');
		await terminal.waitFor('see @.env');
		terminal.write('\r');
		await terminal.waitFor('Press Enter again to attach it');
		await terminal.waitFor('❯ see @.env');
		await terminal.waitFor('@.env ▲ looks like a secret: Enter to attach');
	});
});

import {describe, expect, it} from 'vitest';
import {takesLinks, webAddress} from '../../../src/screen/spans/links.ts';
import {paintRow} from '../../../src/screen/spans/paint-row.ts';
import {lineRows, textOf} from '../../../src/screen/spans/row.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {markdownRows} from '../../../src/screen/markdown/stream.ts';

const address = 'https://a.example/path?q=1&r=%20#part';

describe('a web address', () => {
	it('is an http or https address in printable ASCII', () => {
		expect(webAddress(address)).toBe(address);
		expect(webAddress('http://localhost:8080/')).toBe('http://localhost:8080/');
	});

	it.each([
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://',
		'https://a b',
		'https://a\x1b\\',
		'https://a\x07',
		'https://\u0430.example',
		' https://a.example',
		`https://a.example/${'x'.repeat(3000)}`,
	])('is not %j', text => {
		expect(webAddress(text)).toBeUndefined();
	});
});

describe('an address in an answer', () => {
	const layout = {columns: 20};
	const theme = createTheme(0, {links: true});
	const painted = (text: string, shown = theme) => markdownRows(text, layout).map(row => paintRow(row, shown));

	it('is a link on each of its rows, with the whole address', () => {
		const rows = painted(address);
		expect(rows.length).toBeGreaterThan(1);
		for (const row of rows)
			expect(row).toMatch(/^\x1b\]8;;https:\/\/a\.example\/path\?q=1&r=%20#part\x1b\\.*\x1b\]8;;\x1b\\$/);
	});

	it('is the only part of a link with a text that is one, because it shows where it leads', () => {
		const [row = ''] = markdownRows('[text](https://a.example)', {columns: 60}).map(one => paintRow(one, theme));
		expect(row).toBe('\x1b[4mtext\x1b[24m (\x1b]8;;https://a.example\x1b\\https://a.example\x1b]8;;\x1b\\)');
	});

	it.each([
		'[text](javascript:alert)',
		'[https://a.example](https://b.example/\x1b\\)',
		'<me@a.example>',
		'www.a.example',
	])('is no link if it is not exactly a web address: %j', text => {
		expect(painted(text).join('')).not.toMatch(/\x1b\]8;;https:\/\/a/);
		expect(painted(text).join('')).not.toContain('javascript:alert\x1b');
	});

	it('is plain where the terminal takes no links', () => {
		expect(painted(address, createTheme(0)).join('')).not.toContain('\x1b]8');
	});

	it('keeps its link in a row that is marked by a search', () => {
		const [row] = lineRows([{text: 'https://a.example', link: 'https://a.example'}], {columns: 60});
		const marked = paintRow(row!, theme, [{from: 8, to: 9, look: 'match'}]);
		expect(marked.match(/\x1b\]8;;https/g)).toHaveLength(3);
		expect(textOf(row!)).toBe('https://a.example');
	});
});

describe('links', () => {
	it.each([
		[{TERM: 'xterm-kitty'}, true],
		[{TERM: 'foot'}, true],
		[{TERM_PROGRAM: 'WezTerm'}, true],
		[{TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.0'}, true],
		[{TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0.9'}, false],
		[{TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.104.2'}, true],
		[{VTE_VERSION: '7600'}, true],
		[{VTE_VERSION: '4205'}, false],
		[{TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4', TMUX: 'x'}, true],
		[{TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a', TMUX: 'x'}, false],
		[{TERM: 'screen-256color', VTE_VERSION: '7600'}, false],
		[{STY: '1', TERM: 'xterm-kitty'}, false],
		[{TERM: 'xterm-256color'}, false],
		[{TERM_PROGRAM: 'Apple_Terminal', TERM_PROGRAM_VERSION: '455'}, false],
		[{INKPOD_LINKS: '1'}, true],
		[{INKPOD_LINKS: '0', TERM: 'foot'}, false],
	])('are used with %j: %s', (env, expected) => {
		expect(takesLinks(env)).toBe(expected);
	});

	it('follow the configuration, unless the environment decides', () => {
		expect([
			takesLinks({}, true),
			takesLinks({TERM: 'foot'}, false),
			takesLinks({INKPOD_LINKS: '1'}, false),
		]).toEqual([true, false, true]);
	});
});

import {describe, expect, it} from 'vitest';
import {desktopBytes, desktopCode} from '../../../../src/screen/terminal/window/desktop-notification.ts';
import {width} from '../../../../src/text/width.ts';

describe('the code of notifications', () => {
	it.each([
		[{TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app'}, 'osc 9'],
		[{TERM: 'xterm-kitty'}, 'osc 9'],
		[{TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm'}, 'osc 777'],
		[{TERM: 'xterm-ghostty'}, 'osc 777'],
		[{TERM: 'xterm-256color', TERM_PROGRAM: 'ghostty'}, 'osc 777'],
		[{TERM: 'foot-direct'}, 'osc 777'],
		[{TERM: 'xterm-kitty', TERM_PROGRAM: 'WezTerm'}, 'osc 9'],
		[{TERM: 'tmux-256color', TMUX: '/tmp/tmux-1/default,1,0', TERM_PROGRAM: 'tmux'}, 'tmux'],
	])('of a terminal with %j is %s', (env, code) => {
		expect(desktopCode(env)).toBe(code);
	});

	it.each([
		{},
		{TERM: 'xterm-256color'},
		{TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal'},
		{TERM: 'xterm-kitty', TMUX: '/tmp/tmux-1/default,1,0', STY: '1.pts'},
		{TERM: 'xterm-kitty', ZELLIJ: '0'},
		{TERM: 'screen.xterm-256color', TERM_PROGRAM: 'iTerm.app'},
		{TERM: 'tmux-256color', TERM_PROGRAM: 'WezTerm'},
	])('is unknown with %j', env => {
		expect(desktopCode(env)).toBeUndefined();
	});
});

describe('the bytes of a notification', () => {
	it('are one escape code', () => {
		const notice = {title: 'inkpod · work', body: 'The turn has ended.'};
		expect(desktopBytes('osc 9', notice)).toBe('\x1b]9;inkpod · work: The turn has ended.\x1b\\');
		expect(desktopBytes('osc 777', notice)).toBe('\x1b]777;notify;inkpod · work;The turn has ended.\x1b\\');
	});

	it('contain hostile texts inert and short', () => {
		const hostile = `a;b\x1b\\\x1b]0;evil\x07\x9c\n\u202e${'日'.repeat(50_000)}`;
		for (const code of ['osc 9', 'osc 777'] as const) {
			const [, text = ''] =
				/^\x1b\](?:9|777;notify);(.*)\x1b\\$/su.exec(desktopBytes(code, {title: hostile, body: hostile})) ?? [];
			expect(text).not.toMatch(/\p{C}/u);
			expect(text.split(';')).toHaveLength(code === 'osc 9' ? 1 : 2);
			expect(width(text)).toBeLessThanOrEqual(60 + 160 + 2);
		}
	});
});

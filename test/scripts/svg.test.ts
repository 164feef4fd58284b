import {describe, expect, it} from 'vitest';
import {screenAsSvg} from '../../scripts/svg.mjs';
import {createScreen} from '../helpers/screen.ts';

describe('a screen as a picture', () => {
	it('keeps colours and styles of text', async () => {
		const svg = await draw(
			'\x1b[1;31mhot\x1b[0m \x1b[2;38;2;1;2;3mfaint\x1b[0m \x1b[48;5;196mground\x1b[0m \x1b[3;4mlean\x1b[0m',
		);
		expect(svg).toMatch(/fill="#ef8b92" font-weight="bold">hot</u);
		expect(svg).toMatch(/fill="#010203" opacity="0\.6">faint</u);
		expect(svg).toMatch(/<rect [^>]*width="50\.4" [^>]*fill="#ff0000"\/>/u);
		expect(svg).toMatch(/font-style="italic" text-decoration="underline">lean</u);
	});

	it('swaps the foreground and background of inverse text', async () => {
		expect(await draw('\x1b[7m x \x1b[0m')).toMatch(/<rect [^>]*fill="#d6d9e0"\/>[^]*fill="#16181d">x</u);
	});

	it('gives a wide character two columns', async () => {
		const svg = await draw('漢字|');
		expect(svg).toMatch(/x="14" [^>]*textLength="16\.8"[^>]*>漢</u);
		expect(svg).toMatch(/x="30\.8" [^>]*textLength="16\.8"[^>]*>字</u);
		expect(svg).toMatch(/x="47\.6" [^>]*textLength="8\.4"[^>]*>\|</u);
	});

	it('escapes text that looks like markup', async () => {
		expect(await draw('<b>&')).toContain('&lt;b&gt;&amp;</text>');
	});
});

async function draw(bytes: string): Promise<string> {
	const screen = createScreen(40, 2);
	await screen.write(bytes);
	return screenAsSvg(screen);
}

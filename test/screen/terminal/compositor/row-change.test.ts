import {expect, it} from 'vitest';
import {usesScrollRegions} from '../../../../src/screen/terminal/compositor/row-change.ts';

it.each([
	[{}, undefined, true],
	[{ZELLIJ: '0'}, undefined, false],
	[{ZELLIJ: '0'}, true, true],
	[{}, false, false],
	[{INKPOD_SCROLL_REGIONS: '0'}, true, false],
	[{INKPOD_SCROLL_REGIONS: '1', ZELLIJ: '0'}, false, true],
	[{INKPOD_SCROLL_REGIONS: 'yes'}, false, false],
])('rows are scrolled by the terminal in %j with %j configured: %j', (env, configured, uses) => {
	expect(usesScrollRegions(env, configured)).toBe(uses);
});

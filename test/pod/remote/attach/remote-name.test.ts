import {describe, expect, it} from 'vitest';
import {parseRemoteName} from '../../../../src/pod/remote/attach/remote-name.ts';

describe('the name of a session on another machine', () => {
	it.each([
		['box:01JDAAAA', 'box', '01JDAAAA'],
		['ann@box.example.com:01jdaaaa', 'ann@box.example.com', '01JDAAAA'],
		['ann@[::1]:01JD', 'ann@[::1]', '01JD'],
		['2001:db8::1:01JD', '2001:db8::1', '01JD'],
		['my-box_2:01JDAAAAAAAAAAAAAAAAAAAAAA', 'my-box_2', '01JDAAAAAAAAAAAAAAAAAAAAAA'],
	])('is read: %s', (text, host, id) => {
		expect(parseRemoteName(text)).toEqual({host, id});
	});

	it.each([
		'-oProxyCommand=evil:01JDAAAA',
		'--:01JDAAAA',
		'box;evil:01JDAAAA',
		'box evil:01JDAAAA',
		'$(evil):01JDAAAA',
		'`evil`:01JDAAAA',
		'box\n-oProxyCommand=evil:01JDAAAA',
		'box:01J',
		'box:01JDAAAA;evil',
		'box:01JDAAAA -x',
		'box:ILOU',
		':01JDAAAA',
		'box:',
		'b/x:01JDAAAA',
		`${'a'.repeat(300)}:01JDAAAA`,
		'bóx:01JDAAAA',
	])('is refused: %j', text => {
		expect(parseRemoteName(text)).toBeUndefined();
	});
});

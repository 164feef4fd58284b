import {describe, expect, it} from 'vitest';
import {parseOptions} from '../../../src/pod/config/option-flags.ts';

describe('the options of the command line', () => {
	it('are settings of the setup', () => {
		const written = [
			'max_output_tokens=2000',
			'temperature=0.2',
			'top_p=0.9',
			'stop=END',
			'stop=a=b',
			'tools=false',
			'merge_user=true',
		];
		expect(parseOptions(written)).toEqual({
			ok: true,
			settings: {
				mergeUser: true,
				maxOutputTokens: 2000,
				temperature: 0.2,
				topP: 0.9,
				stop: ['END', 'a=b'],
				tools: false,
			},
		});
		expect(parseOptions(['tools=true'])).toEqual({ok: true, settings: {}});
	});

	it.each(['temperature', '=1', 'colour=red', 'constructor=1', 'Temperature=1'])(
		'refuse %s with the keys',
		written => {
			expect(parseOptions([written])).toEqual({
				ok: false,
				sentence: expect.stringMatching(/^--option ".*" is not an option: write key=value, .*temperature/),
			});
		},
	);

	it.each([
		'temperature=hot',
		'temperature=-1',
		'temperature=0x1',
		'temperature=Infinity',
		'max_output_tokens=1.5',
		'top_p=2',
		'stop=',
		'tools=maybe',
	])('refuse the value of %s', written => {
		expect(parseOptions([written])).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(/^--option [a-z_]+ (must be|is not valid)/),
		});
	});
});

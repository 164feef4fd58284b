import {expect, it} from 'vitest';
import {newConfig} from '../../../../src/pod/permissions/confine/git-new-config.ts';

it.each(['[extensions "x"]\n\tobjectformat = sha256\n', '[core "x"]\n\tbare = true\n', '[user "x"]\n\tname = A\n'])(
	'drops a setting whose section has no subsection in git: %j',
	more => {
		const written = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
		expect(newConfig(`${written}${more}`, undefined)).toEqual({
			...{text: written, hashBytes: 20, isWhole: false, isPartial: false},
		});
	},
);

it('keeps the settings of a submodule with and without a subsection', () => {
	const written =
		'[core]\n\trepositoryformatversion = 0\n[submodule]\n\tactive = .\n[submodule "s"]\n\tactive = true\n';
	expect(newConfig(written, undefined)).toMatchObject({text: written, isWhole: true});
});

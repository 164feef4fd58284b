import {expect, test} from 'vitest';
import {isPlainCommand} from '../../../src/pod/approval/plain-command.ts';
import {effort} from '../../helpers/effort.ts';

test.each([
	'npm test',
	'  npm   run build:prod  ',
	'git diff HEAD~1 HEAD^ -- src/a.ts',
	'grep -n \'x y; z && $1\' "a b.txt"',
	'node --test=only ./日本.mjs',
	'git log --format=%h',
	'a@b.c +x',
])('%j is plain', command => {
	expect(isPlainCommand(command)).toBe(true);
});

/** Among them what has got past the lists of other programs. */
test.each([
	'npm test; rm -rf /',
	'npm test && rm x',
	'npm test || rm x',
	'npm test | sh',
	'npm test & rm x',
	'npm test &',
	'npm test\nrm x',
	'npm test\rrm x',
	'npm test $(rm x)',
	'npm test `rm x`',
	'npm test "$(rm x)"',
	'npm test "`rm x`"',
	'npm test \'a[$(rm x)]\'',
	'npm test <(rm x)',
	'npm test >(rm x)',
	'npm test > ~/.bashrc',
	'npm test >> x',
	'npm test < x',
	'npm test <<< x',
	'npm test <<EOF',
	'npm test 2>&1',
	'(npm test)',
	'{ npm test; }',
	'npm test ${x@P}',
	'npm test ${x:=$(rm y)}',
	'npm test $x',
	'cat$IFS/etc/passwd',
	'npm test $((1))',
	'npm test $\'\\x3b\'',
	'npm test $"x"',
	'npm test "a\\"; rm x; echo \\""',
	'echo "\\"; rm x; echo \\""',
	'npm test "a',
	'npm test \'a',
	'npm test a\\',
	'npm te\\st',
	'PATH=. npm test',
	'A=1 B=2 npm test',
	'npm test *',
	'npm test a?',
	'npm test [ab]',
	'npm test {a,b}',
	'npm test ~',
	'npm test ~root/x',
	'npm test a=~/x',
	'npm test =ls',
	'npm test #x',
	'npm test !!',
	'! npm test',
	'time npm test',
	'if npm test',
	'eval npm test',
	'/usr/bin/eval npm',
	'exec npm test',
	'. x',
	'source x',
	'command npm test',
	'export PAGER=x',
	'typeset x',
	'trap x EXIT',
	'npm test\u0000x',
	'npm test \u202ex',
	'npm test\u00a0x',
	'npm test\u2028rm x',
	'npm test\u200b',
	'npm\ttest',
	'npm test \u001b[2K',
	'npm test “x”; rm',
	'',
	' ',
	`npm test ${'x'.repeat(5000)}`,
])('%j is not plain', command => {
	expect(isPlainCommand(command)).toBe(false);
});

test('a long text of quotes, judged at once', () => {
	const begun = effort();
	for (const piece of ['\'a\' ', '"', 'a ', '\'a', ' ']) isPlainCommand(piece.repeat(2000 / piece.length * 2).slice(0, 4096));
	expect(effort() - begun).toBeLessThan(1000);
});

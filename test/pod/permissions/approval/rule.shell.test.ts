import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, it} from 'vitest';
import {isPlainCommand} from '../../../../src/pod/permissions/approval/plain-command.ts';
import {applies} from '../../../../src/pod/permissions/approval/rule.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_121);

/** Returns the output of a shell script in an empty folder and without any programs. */
function shell(program: string, script: string): string {
	const cwd = mkdtempSync(join(tmpdir(), 'inkpod-sh-'));
	try {
		writeFileSync(join(cwd, 'script'), script);
		return spawnSync(program, [join(cwd, 'script')], {
			cwd,
			env: {PATH: join(cwd, 'none'), HOME: cwd},
			encoding: 'utf8',
			timeout: 60_000,
			stdio: ['ignore', 'pipe', 'ignore'],
		}).stdout;
	} finally {
		rmSync(cwd, {recursive: true, force: true});
	}
}

const pieces = [
	'a',
	'b-c',
	'日本',
	' ',
	' ',
	'  ',
	"'",
	'"',
	"'x y'",
	'"x y"',
	'=',
	'~',
	'^',
	':',
	'/',
	'.',
	'$',
	'$(',
	')',
	'`',
	'{',
	'}',
	',',
	'*',
	'?',
	'[',
	']',
	'!',
	'\\',
	';',
	'&',
	'|',
	'<',
	'>',
	'#',
	'%',
	'+',
	'@',
	'\t',
	'\n',
	'\u00a0',
];

it.each(['/bin/sh', '/bin/bash'])(
	`a plain command counts as one command with the same words for %s (seed ${seed})`,
	program => {
		const plain = fc
			.sample(
				fc.array(fc.constantFrom(...pieces), {maxLength: 14}).map(all => `w${all.join('')}`),
				{seed, numRuns: long ? 400_000 : 15_000},
			)
			.filter(isPlainCommand);
		expect(plain.length).toBeGreaterThan(200);
		const script =
			`show() { for word; do printf '<%s>' "$word"; done; printf '\\n'; }\n` +
			plain.map(command => `show ${command}\n`).join('');
		const wanted = plain.map(command =>
			[...command.matchAll(/(?:[^ '"]|'[^']*'|"[^"]*")+/g)]
				.map(([word]) => `<${word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2')}>`)
				.join(''),
		);
		expect(shell(program, script).split('\n').slice(0, -1)).toEqual(wanted);
	},
);

it(`a rule applies to any shell text that makes bash run the forbidden command (seed ${seed})`, () => {
	const words = [
		'git',
		'git',
		'git push',
		'push',
		'push',
		' ',
		' ',
		' ',
		'x',
		'A=1',
		'eval',
		'command',
		'builtin',
		'exec',
		'if',
		'then',
		'fi',
		'!',
		'{ ',
		'; }',
		'(',
		')',
		'$(',
		'${x:-',
		'}',
		'`',
		"'",
		'"',
		'\\',
		'\n',
		';',
		'&&',
		'||',
		'|',
		'&',
		'>',
		'<',
		'>&',
		'2>',
		'<<<',
		'$x',
		'$g',
		'${IFS}',
		'$IFS',
		'{git,push}',
		'{',
		',',
		'g*',
		'time',
		'gi',
		't',
		'pu',
		'sh',
		'#',
		"$'",
		'\\x67',
		'[',
		']',
		'$1',
		'"$\'"',
		'\\\n',
		'case x in x) ',
		' esac',
		'{}',
		'source ',
		'. ',
		'trap ',
	];
	const some = fc.array(fc.constantFrom(...words), {maxLength: 4}).map(all => all.join(''));
	const git = fc.constantFrom('git', 'g\\it', 'gi""t', '$g', "'git'", 'g${x}it');
	const gap = fc.constantFrom(' ', ' >x ', ' 2>&1 ', '\t', '${IFS}', ' \\\n', ' &>x ', ' <<<x ', ' >$(:) ');
	const push = fc.constantFrom('push', "pu'sh'", '$(:)push', '"push"');
	const commands = fc.sample(
		fc.tuple(some, git, gap, push, some).map(all => all.join('')),
		{seed, numRuns: long ? 20_000 : 2000},
	);
	const run = (command: string, index: number) =>
		`N=${index}; ( eval ${quoted(command)} ) >/dev/null 2>&1 </dev/null\n`;
	const before = 'exec 9>&1; x=; g=git; git() { if [ "$1" = push ]; then echo $N >&9; fi; }\n';
	const hits = new Set<number>();
	for (let from = 0; from < commands.length; from += 500) {
		const script =
			before +
			commands
				.slice(from, from + 500)
				.map((command, index) => run(command, from + index))
				.join('');
		for (const line of shell('/bin/bash', script).split('\n')) if (/^\d+$/.test(line)) hits.add(Number(line));
	}
	expect(hits.size).toBeGreaterThan(50);
	const missed = [...hits]
		.map(index => commands[index]!)
		.filter(
			command => !applies({tool: 'bash', match: 'git push*', action: 'deny'}, 'bash', {kind: 'command', command}),
		);
	expect(missed).toEqual([]);
	const allowed = [...hits]
		.map(index => commands[index]!)
		.filter(
			command =>
				applies({tool: 'bash', match: '*', action: 'allow'}, 'bash', {kind: 'command', command}) &&
				!/^ *git/.test(command.replaceAll(/["']/g, '')),
		);
	expect(allowed).toEqual([]);
});

function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

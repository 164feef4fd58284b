import {describe, expect, it} from 'vitest';
import {createJudge} from '../../../../src/pod/permissions/approval/judge.ts';
import {compilePathMatches} from '../../../../src/pod/permissions/approval/path-match.ts';
import {matchProblem} from '../../../../src/pod/permissions/approval/rule.ts';
import {applies, type Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import {fileSubject} from '../../../../src/pod/permissions/approval/subject.ts';
import {resolveTarget} from '../../../../src/pod/scope/locate.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';
import {testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {results} from './setting.ts';

const folders = {pwd: '/home/me/proj', home: '/home/me'};
const rule = (match: string, action: Rule['action']): Rule => ({tool: 'edit_file', match, action});
const named = (match: string, path: string, more = {}) =>
	(['allow', 'deny'] as const).map(action =>
		applies(rule(match, action), 'edit_file', fileSubject(path, undefined, {...folders, ...more})),
	);

describe('a rule about paths', () => {
	it.each<[match: string, path: string, allows: boolean, denies: boolean]>([
		// A folder and its contents
		['private', 'private/a', false, true],
		['private', 'private/a/b', false, true],
		['private', 'x/private/a', false, true],
		['private', 'private', true, true],
		['private', 'privately/a', false, false],
		['private', 'not-private/a', false, false],
		['private/', 'private/a', true, true],
		['private/', 'x/private/a', false, true],
		['private//', 'private/a', true, true],
		['private/.', 'private/a/b', true, true],
		['a/private', 'a/private/x', false, true],
		['a/private', 'b/a/private/x', false, false],
		['a/private/', 'a/private/x', true, true],
		['private/**', 'private/a', true, true],
		['private/*', 'private/a/b', false, true],
		['private/*.ts', 'private/a.js', false, false],
		['.*', '.config/x', false, true],
		['.*', '../other/x', false, false],
		['**/private', 'a/private/x', false, true],
		['**/private/**', 'a/private/x', true, true],
		['{private,secret}', 'secret/a', false, true],
		['{private,secret}/', 'secret/a', true, true],
		['pr[i]vate', 'private/a', false, true],
		['a\\*b', 'a*b/c', false, true],
		['a\\/b', 'a/b/c', false, true],
		['[{]x', '{x/y', false, true],
		['.', 'a/b', false, true],
		['./', 'a/b', true, true],
		// Several spellings of one path
		['./private', 'private/a', false, true],
		['./private', 'x/private/a', false, false],
		['./private/', 'private/a', true, true],
		['.//private', 'private', true, true],
		['a//b', 'a/b', true, true],
		['a///b/**', 'a/b/c', true, true],
		['a/./b', 'a/b', true, true],
		['a/../b', 'b/c', false, true],
		['a/../b', 'b', true, true],
		['./a/../b/', 'b/c', true, true],
		['a/b/..', 'a/c', true, true],
		['../proj/private', 'private/a', false, true],
		['../proj/private/', 'private/a', true, true],
		['..', 'private/a', false, true],
		['../other', '../other/a', false, true],
		['../../../../home/me/proj/a', 'a', true, true],
		// From the root of the project, or of the file system
		['/private', 'private/a', false, true],
		['/private', 'x/private/a', false, false],
		['/private/', 'private/a', true, true],
		['/home/me/proj/private', 'private/a', false, true],
		['/home/me/proj/private/', 'private/a', true, true],
		['/home/me/proj/private/**', 'private/a', true, true],
		['//home/me/proj//private', 'private/a', false, true],
		['/home/me/proj', 'a', false, true],
		['/home/me/proj/', 'a', true, true],
		['/home/me', 'a', false, true],
		['/home/*/proj/private', 'private/a', false, true],
		['/home/me/proj/*.pem', 'a.pem', true, true],
		['/home/me/proj/*.pem', 'x/a.pem', false, false],
		['/home/me/project', 'a', false, false],
		['/etc', '/etc/passwd', false, true],
		['/etc/passwd', '../../../etc/passwd', false, true],
		// From home
		['~', 'a', false, true],
		['~/proj/private', 'private/a', false, true],
		['~/proj/private/', 'private/a', true, true],
		['~//proj/./private/**', 'private/a', true, true],
		['~/.ssh', '/home/me/.ssh/id', false, true],
		['{~,x}/proj/private/**', 'private/a', true, true],
		['\\~/a', '~/a', true, true],
		['a~', 'a~', true, true],
		['~$doc', '~$doc', true, true],
	])('%j on %j allows it: %s, denies it: %s', (match, path, allows, denies) => {
		expect([...named(match, path), matchProblem('edit_file', match)]).toEqual([allows, denies, undefined]);
	});

	it.each<[match: string, effect: 'denies' | 'does not deny', path: string]>([
		['sub/private', 'denies', 'private/a'],
		['/sub/private', 'denies', 'private/a'],
		['../sub/private', 'denies', 'private/a'],
		['/home/me/proj/sub/private', 'denies', 'private/a'],
		['other/private', 'does not deny', 'private/a'],
	])('%j %s %j when the pwd is a subfolder of the project', (match, effect, path) => {
		expect(named(match, path, {pwd: '/home/me/proj/sub', startedIn: '/home/me/proj'})[1]).toBe(effect === 'denies');
	});

	it.each<[match: string, path: string]>([
		['private', 'proj/private/a'],
		['/private', 'proj/private/a'],
		['./private/**', 'proj/private/a'],
		['private/*', 'proj/private/a'],
		['../proj/private', 'proj/private/a'],
		['proj/private', 'proj/private/a'],
	])('%j also denies %j from a wider pwd', (match, path) => {
		expect(named(match, path, {pwd: '/home/me', startedIn: '/home/me/proj'})).toEqual([expect.any(Boolean), true]);
	});

	it.each(['~', '/.', '/..', '../..', '.'])('%j denies everything if it names the root folder', match => {
		expect(named(match, 'a/b', {pwd: '/p/q', home: '/'})[1]).toBe(true);
	});

	it('takes special characters in the name of a base folder literally', () => {
		const odd = {pwd: '/h/[a]*{b,c}/p\\q', home: '/h/[a]*{b,c}'};
		expect([named('~/p\\\\q/x', 'x/y', odd), named('../p\\\\q/x/', 'x/y', odd)]).toEqual([
			[false, true],
			[true, true],
		]);
	});
});

describe('a match that can never match', () => {
	it.each([
		['edit_file', '!secret', 'begins with !'],
		['edit_*', '!secret', 'begins with !'],
		['*', '!/home/me/x', 'begins with !'],
		['edit_file', ' private', 'with a space'],
		['edit_file', 'private\t', 'with a space'],
		['edit_file', 'a\0b', 'NUL'],
		['read_file', 'src\\private', 'separates names with \\'],
		['read_file', 'private\\', 'separates names with \\'],
		['read_file', '~bob/x', 'home folder of another user'],
		['read_file', '~bob', 'home folder of another user'],
		['read_file', '$HOME/x', 'variable'],
		['read_file', '${HOME}/x', 'variable'],
		['read_file', '**/../x', '.. after **'],
		['read_file', 'a/**/b/../../../x', '.. after **'],
		['read_file', '{,}', 'empty alternatives'],
		['read_file', 'a{b', 'without its }'],
		['grep', 'private/**', "the tool's name"],
		['glob', 'src', "the tool's name"],
		['mcp__fs__read', '/etc/**', "the tool's name"],
		['mcp__fs__*', 'private', "the tool's name"],
	])('is refused for %j, %j, with a sentence that contains “%s”', (tool, match, why) => {
		expect(matchProblem(tool, match)).toContain(why);
	});

	it.each([
		['bash', '!x'],
		['b*', '$HOME/bin/x *'],
		['bash', 'a\\b '],
		['grep', 'gr*'],
		['mcp__fs__*', 'mcp__fs__write*'],
		['mcp__*', '*drop'],
		['read_file', '\\!x'],
		['read_file', 'a!b'],
		['read_file', '[!a]b'],
		['read_file', 'routes/$id.ts'],
		['read_file', 'a\\[b\\]'],
		['read_file', '$id'],
		['read_file', 'a b'],
		['read_file', '{a,}'],
		['read_file', 'C++/x\\.ts'],
		['read_file', '../**/x'],
		['read_file', 'a\\\\b'],
	])('is accepted for %j: %j', (tool, match) => {
		expect(matchProblem(tool, match)).toBeUndefined();
	});
});

it('a rule may name a folder by an absolute path through a link', async () => {
	const project = await tempProject({'a/x': 'a\n', 'b/x': 'b\n'});
	const link = await project.link('../link', project.path('a'));
	const read = (callId: string, path: string) => calls(callId, 'read_file', {path});
	const model = eventModel(answer(read('1', 'a/x'), read('2', 'b/x')), answer(says('Done.')));
	const rules = {user: [{tool: 'read_file', match: link, action: 'deny'}], project: []} as const;
	const told = await testPod(project, {model, approval: {mode: 'ask', rules}});
	await told.run('go');
	await told.until(() => results(told).length === 2);
	expect(results(told).map(([, isError]) => isError)).toEqual([true, false]);
});

/**
The effect of a rule on calls of `read_file` in a project with links. `true`: denied, or allowed without a question.
*/
async function judged(match: string, action: 'deny' | 'allow', paths: readonly string[]): Promise<readonly boolean[]> {
	const project = await tempProject({'real/x': 'x', 'other/x': 'x', '.git/hooks/x': 'x', 'sub/y': 'y'});
	await project.link('toreal', 'real');
	await project.link('again', 'toreal');
	await project.link('sub/up', '../real');
	await project.link('hooks', '.git/hooks');
	await project.link('all', '.');
	await project.link('dangling', 'later');
	await project.link('file', 'real/x');
	await project.link('../above', project.dir);
	const written = match.replace('$', project.dir);
	const judge = createJudge({
		scope: {pwd: project.dir, writable: true},
		env: {},
		mode: 'ask',
		rules: {user: [{tool: 'edit_file', match: written, action}], project: []},
		onTrouble: () => {},
	});
	return Promise.all(
		paths.map(async path => {
			const real = await resolveTarget(project.scope, path);
			const subject = fileSubject(path, real, {pwd: project.dir, home: '/nobody'});
			const {type} = judge.judge(await judge.inspect('edit_file', 'write', subject));
			return type === (action === 'deny' ? 'deny' : 'run');
		}),
	);
}

describe('a rule that names a link', () => {
	it.each([
		['toreal'],
		['./toreal'],
		['/toreal'],
		['toreal/'],
		['toreal/*'],
		['toreal/x'],
		['toreal/**'],
		['{a,toreal}'],
		['again'],
		['sub/up'],
		['$/toreal'],
		['$/../above/toreal'],
		['../project/toreal'],
		['file'],
	])('%s: denies the file that the link leads to, and no other', async match => {
		expect(await judged(match, 'deny', ['real/x', 'other/x', 'sub/y'])).toEqual([true, false, false]);
	});

	it('denies a file that would be created where a dangling link leads', async () => {
		expect(await judged('dangling', 'deny', ['later', 'later/a', 'dangling', 'other/x'])).toEqual([
			true,
			true,
			true,
			false,
		]);
	});

	it.each([
		['hooks/'],
		['hooks/**'],
		['./hooks/*'],
		['/hooks/'],
		['$/hooks/'],
		['$/hooks/**'],
		['$/all/'],
		['../project/hooks/'],
	])('%s: allows no file that the link leads to', async match => {
		expect(await judged(match, 'allow', ['hooks/x', '.git/hooks/x', 'all/other/x', 'real/x'])).toEqual([
			false,
			false,
			false,
			false,
		]);
	});

	it.each([['$/../above/other/'], ['$/other/'], ['../project/other/*']])(
		'%s: allows what is in the folder',
		async match => {
			// A link above the project only determines where the project is.
			expect(await judged(match, 'allow', ['other/x', 'real/x'])).toEqual([!match.includes('above'), false]);
		},
	);

	it('names only the files where the link leads at the time of the call', () => {
		const {pwd, home} = folders;
		const matches = compilePathMatches(['link/**']);
		const isNamed = (path: string, real: string) => {
			const leads = new Map([[`${pwd}/link`, `${pwd}/${real}`]]);
			return matches.possiblyNaming({paths: [`${pwd}/${path}`], bases: [pwd], home, leads}).has(0);
		};
		expect(isNamed('old/a', 'old')).toBe(true);
		expect([isNamed('old/a', 'new'), isNamed('new/a', 'new')]).toEqual([false, true]);
	});
});

import {expect, it} from 'vitest';
import type {Segment} from '../../../../src/pod/protocol.ts';
import {classifyDraft} from '../../../../src/screen/model/commands/commands.ts';
import {nearestCommand} from '../../../../src/screen/control/submit/submit.ts';
import {draftOf, isShellDraft} from '../../../../src/screen/editor/draft.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const message = {type: 'message'};

it.each([
	['/help', {type: 'command', name: 'help', argument: ''}],
	['/copy  2 ', {type: 'command', name: 'copy', argument: '2'}],
	['/add-dir ../a b', {type: 'command', name: 'add-dir', argument: '../a b'}],
	['/login', {type: 'command', name: 'login', argument: ''}],
	['/login openai', {type: 'command', name: 'login', argument: 'openai'}],
	['/login\nsk-1\nsk-2', {type: 'command', name: 'login', argument: 'sk-1'}],
	['/logins', message],
	['/help\nme', message],
	[' /help', message],
	['/HELP', message],
	['/helpme', message],
	['/help/', message],
	['/constructor', message],
	['please /help', message],
	['/', message],
	['!ls', {type: 'shell', command: 'ls'}],
	['!  for f in *; do\necho $f\ndone\n', {type: 'shell', command: 'for f in *; do\necho $f\ndone'}],
	['!', {type: 'shell', command: ''}],
	['！ls', message],
	[String.raw`\!ls`, message],
	[' !ls', message],
])('the message %j means %j', (words, meaning) => {
	expect(classifyDraft([text(words)])).toEqual(meaning);
});

it('a command that contains a chip is a message', () => {
	expect(classifyDraft([text('/add-dir '), {type: 'file_ref', path: 'a'}])).toEqual(message);
	expect(classifyDraft([{type: 'paste', id: '1', chars: 5, lines: 1, content: '/help'}])).toEqual(message);
	expect(classifyDraft([{type: 'paste', id: '1', chars: 5, lines: 1, content: '!help'}])).toEqual(message);
	expect(classifyDraft([])).toEqual(message);
});

it('a login stays a command with a paste, which may be a key', () => {
	const paste: Segment = {type: 'paste', id: '1', chars: 5, lines: 1, content: 'sk-12'};
	expect(classifyDraft([text('/login openai '), paste])).toEqual({
		type: 'command',
		name: 'login',
		argument: 'openai',
	});
	expect(classifyDraft([text('/login '), paste])).toMatchObject({type: 'command', name: 'login'});
});

it.each([
	['src/a.ts', 'src/a.ts'],
	['a b.md', "'a b.md'"],
	["it's; rm -rf $HOME", "'it'\\''s; rm -rf $HOME'"],
	['-rf', './-rf'],
	['日本.md', "'日本.md'"],
])('a picked file %j in a shell command is one word: %s', (path, word) => {
	expect(classifyDraft([text('!cat '), {type: 'file_ref', path, range: {first: 1}}, text(' | wc')])).toEqual({
		type: 'shell',
		command: `cat ${word} | wc`,
	});
});

it('a paste in a shell command stays as it is', () => {
	expect(
		classifyDraft([text('!cat <<E\n'), {type: 'paste', id: '1', chars: 5, lines: 2, content: 'a\nb\n'}, text('E')]),
	).toEqual({type: 'shell', command: 'cat <<E\na\nb\nE'});
});

it('a shell command begins with ! as the first character of the message', () => {
	expect(['!', '!ls', 'ls', '', ' !', '\n!'].map(words => isShellDraft(draftOf(words)))).toEqual([
		true,
		true,
		false,
		false,
		false,
		false,
	]);
});

it.each([
	['/hlep', 'help'],
	['/hel', 'help'],
	['/helpp x', 'help'],
	['/qiut', 'quit'],
	['/Copy', 'copy'],
	['/add-dri x', 'add-dir'],
	['/res', 'resume'],
	['/review', undefined],
	['/x', undefined],
	['help', undefined],
	['/tmp/new', undefined],
])('%j suggests the command %s', (words, near) => {
	expect(nearestCommand(words)).toBe(near);
});

import {expect, it} from 'vitest';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import {classifyDraft} from '../../../../src/screen/control/picker/picker-effects.ts';
import {decode} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {createTokenizer} from '../../../../src/screen/terminal/input/tokens.ts';

const {keymap} = createKeymap();

function meant(bytes: string) {
	const tokenizer = createTokenizer();
	const [input] = [...tokenizer.push(Buffer.from(bytes)), ...tokenizer.flush()].flatMap(decode);
	return input?.type === 'key' ? classifyDraft(input.key, keymap) : undefined;
}

it.each([
	['a', {type: 'edit', edit: {type: 'insert', text: 'a'}}],
	[' ', {type: 'edit', edit: {type: 'insert', text: ' '}}],
	['日', {type: 'edit', edit: {type: 'insert', text: '日'}}],
	['\x7f', {type: 'edit', edit: {type: 'erase', to: 'left'}}],
	['\x15', {type: 'edit', edit: {type: 'kill', to: 'line start'}}],
	['\x01', {type: 'edit', edit: {type: 'move', to: 'line start'}}],
	['\x1b[D', {type: 'edit', edit: {type: 'move', to: 'left'}}],
	['\x1b[A', {type: 'move', to: 'up'}],
	['\x1b[6~', {type: 'move', to: 'page down'}],
	['\x1b[H', {type: 'move', to: 'first'}],
	['\x1b[F', {type: 'move', to: 'last'}],
	['\t', {type: 'switch'}],
	['\r', {type: 'command', command: 'choose'}],
	['\x1b', {type: 'command', command: 'leave'}],
	['\x04', {type: 'command', command: 'leave'}],
	['\x03', {type: 'command', command: 'interrupt'}],
	['\x1a', {type: 'command', command: 'suspend'}],
	['\x1b[99;5u', {type: 'command', command: 'interrupt'}],
	['\x1b\r', {type: 'edit', edit: {type: 'insert', text: '\n'}}],
	['\x0f', {type: 'command', command: 'fork'}],
	['\x13', {type: 'command', command: 'export'}],
	['\x07', undefined],
	['\x1b[15~', undefined],
])('the key %j means %j', (bytes, meaning) => {
	expect(meant(bytes)).toEqual(meaning);
});

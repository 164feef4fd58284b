import {actionOfKey} from '../../model/composer/composer-state.ts';
import type {Keymap} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import type {CardKey} from '../../model/card/events.ts';

/** Returns what a key does on a card. The keymap decides this. */
export function cardKeyOf(key: Key, keymap: Keymap): CardKey {
	const action = keymap.action(key);
	const isChord = key.ctrl || key.alt || key.super;
	if (key.text !== undefined)
		return /^[1-9]$/.test(key.text) ? {kind: 'digit', digit: Number(key.text), text: key.text} : {kind: 'text'};
	if (key.name === 'escape' && !isChord) return {kind: 'escape'};
	if (action === 'pause') return {kind: 'escape'};
	if (action === 'submit') return {kind: 'enter'};
	const move = isChord || key.shift ? undefined : moves[key.name];
	if (move !== undefined) return {kind: move};
	return action !== 'erase right or quit' && actionOfKey(key, keymap) !== undefined
		? {kind: 'edit'}
		: {kind: 'other'};
}

const moves: {readonly [name: string]: 'previous' | 'next' | 'more' | 'less' | undefined} = {
	up: 'previous',
	down: 'next',
	left: 'less',
	right: 'more',
};

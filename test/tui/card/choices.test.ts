import {describe, expect, test} from 'vitest';
import type {Ask} from '../../../src/pod/protocol.ts';
import {choiceOf, choiceRows, saysNo} from '../../../src/tui/card/choices.ts';
import {makeKey} from '../../../src/tui/screen/stdin-keys.ts';

const ask = (...choices: Ask['choices']): Ask => ({id: 'a', title: '', detail: '', choices});
const usual = ask({choice: 'allow', label: 'Yes'}, {choice: 'always', label: 'Always in this session'}, {choice: 'deny', label: 'No'}, {choice: 'deny_reason', label: 'No, because', reason: true});
const key = (text: string) => makeKey(text.toLowerCase(), {text});

describe('a key', () => {
	test.each([['1', 'allow'], ['y', 'allow'], ['Y', 'allow'], ['2', 'always'], ['n', 'deny'], ['4', 'deny_reason'], ['5', undefined], ['x', undefined]])('%s is %s', (pressed, choice) => {
		expect(choiceOf(usual, key(pressed))?.choice).toBe(choice);
	});

	test('Esc is no, whatever it is called; Enter and chords are nothing', () => {
		expect(choiceOf(usual, makeKey('escape'))?.choice).toBe('deny');
		expect(choiceOf(ask({choice: 'no_reason', label: 'Why', reason: true}, {choice: 'no_once', label: 'No'}, {choice: 'b', label: 'B'}), makeKey('escape'))?.choice).toBe('no_once');
		expect(choiceOf(ask({choice: 'a', label: 'A'}, {choice: 'b', label: 'B'}), makeKey('escape'))?.choice).toBe('b');
		expect(choiceOf(usual, makeKey('enter'))).toBeUndefined();
		expect(choiceOf(usual, makeKey('y', {ctrl: true}))).toBeUndefined();
	});

	test('a letter that begins several choices, is the first one\'s', () => {
		const several = ask({choice: 'once', label: 'Yes, once'}, {choice: 'session', label: 'Yes, for this session'}, {choice: 'deny', label: 'No'});
		expect(choiceOf(several, key('y'))?.choice).toBe('once');
	});
});

test.each([['deny', true], ['no', true], ['deny_reason', true], ['no-reason', true], ['denyReason', true], ['once', false], ['notify', false], ['trust', false]])('a choice %s, says no: %s', (choice, no) => {
	expect(saysNo({choice, label: ''})).toBe(no);
});

test('choices that are cut for want of rows, are told whole behind the detail; those that are not cut, are not told twice', () => {
	const long = ask({choice: 'allow', label: 'Yes, once'}, {choice: 'session', label: 'For this session: exactly this command'}, {choice: 'deny', label: 'No'});
	expect(choiceRows(long, 40, {whole: 1, cut: 2}, () => true).rest).toEqual(['[2, f] For this session: exactly this command']);
	expect(choiceRows(long, 40, {whole: 4, cut: 2}, () => true).rest).toEqual([]);
});

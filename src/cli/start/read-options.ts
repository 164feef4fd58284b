import {parseArgs} from 'node:util';
import {badOption} from './usage-texts.ts';
import type {Place} from './launch.ts';

/** All options. `inkpod --help` and the completions name them, except `stdio`, which `inkpod attach` uses over ssh. */
export const options = {
	print: {type: 'boolean', short: 'p'},
	continue: {type: 'boolean', short: 'c'},
	resume: {type: 'string', short: 'r'},
	fork: {type: 'boolean'},
	'output-format': {type: 'string'},
	'input-format': {type: 'string'},
	'json-schema': {type: 'string'},
	allow: {type: 'string', multiple: true},
	deny: {type: 'string', multiple: true},
	'system-prompt-file': {type: 'string'},
	model: {type: 'string'},
	effort: {type: 'string'},
	option: {type: 'string', multiple: true},
	'max-turns': {type: 'string'},
	'max-cost': {type: 'string'},
	cwd: {type: 'string'},
	manifest: {type: 'string'},
	'read-only': {type: 'boolean'},
	writable: {type: 'boolean'},
	'add-dir': {type: 'string', multiple: true},
	approval: {type: 'string'},
	plan: {type: 'boolean'},
	trust: {type: 'boolean'},
	'trust-owner': {type: 'boolean'},
	'no-confine': {type: 'boolean'},
	'no-socket': {type: 'boolean'},
	'no-mouse': {type: 'boolean'},
	inline: {type: 'boolean'},
	'screen-reader': {type: 'boolean'},
	dump: {type: 'boolean'},
	json: {type: 'boolean'},
	bg: {type: 'boolean'},
	stdio: {type: 'boolean'},
	unit: {type: 'boolean'},
	idle: {type: 'string'},
	all: {type: 'boolean'},
	needs: {type: 'boolean'},
	search: {type: 'string'},
	run: {type: 'boolean'},
	format: {type: 'string'},
	to: {type: 'string'},
	exact: {type: 'boolean'},
	bundle: {type: 'boolean'},
	at: {type: 'string'},
	speed: {type: 'string'},
	restore: {type: 'string'},
	empty: {type: 'boolean'},
	force: {type: 'boolean'},
	write: {type: 'boolean'},
	project: {type: 'boolean'},
	'no-browser': {type: 'boolean'},
	env: {type: 'string', multiple: true},
	header: {type: 'string', multiple: true},
	request: {type: 'boolean'},
	requests: {type: 'boolean'},
	version: {type: 'boolean', short: 'v'},
	help: {type: 'boolean', short: 'h'},
} as const;

export type Values = ReturnType<typeof parseArgs<{options: typeof options; allowPositionals: true}>>['values'];

export type Failed = {readonly ok: false; readonly sentence: string};
type Options = {readonly ok: true; readonly values: Values; readonly positionals: readonly string[]};

/** Returns where a command looks for the project. */
export function where({cwd, manifest, 'trust-owner': trustOwner}: Values): Place {
	return {
		cwd,
		manifest,
		...(trustOwner === true && {trustOwner}),
	};
}

/** Reads the options and the other words of argv. For a mistake it returns one sentence. */
export function readOptions(argv: readonly string[]): Options | Failed {
	try {
		const {values, positionals} = parseArgs({args: withResumeValue(argv), options, allowPositionals: true});
		return {ok: true, values, positionals};
	} catch (error) {
		return {ok: false, sentence: badOption(error instanceof Error ? error.message : String(error))};
	}
}

/**
Joins `-r` with its id, because parseArgs has no optional values. The word after `-r` is an id if it looks like one, and
part of the prompt otherwise.
*/
function withResumeValue(argv: readonly string[]): readonly string[] {
	const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
	const options = argv.slice(0, end);
	const read = options.flatMap((arg, at) => {
		if (isResume(arg)) return [`--resume=${idIn(options[at + 1])}`];
		return isResume(options[at - 1]) && idIn(arg) !== '' ? [] : [arg];
	});
	return [...read, ...argv.slice(end)];
}

function isResume(arg: string | undefined): boolean {
	return arg === '-r' || arg === '--resume';
}

function idIn(arg = ''): string {
	return sessionIdPrefix.test(arg) ? arg : '';
}

/**
Matches the start of a ULID in Crockford's base 32 that is too long for a word. A prefix in lower case must begin with
0, as all current ULIDs do.
*/
const sessionIdPrefix = /^(?:[0-9A-HJKMNP-TV-Z]{4,26}|0[0-9a-hjkmnp-tv-z]{3,25})$/;

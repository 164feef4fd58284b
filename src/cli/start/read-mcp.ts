import {
	badPair,
	mcpAddNeeds,
	mcpNeedsAction,
	mcpNeedsName,
	noArguments,
	onlyForPrograms,
	onlyForUrls,
} from './usage-texts.ts';
import type {McpAction, Start} from './launch.ts';
import {where, type Failed, type Values} from './read-options.ts';

type Read = {readonly ok: true; readonly action: McpAction} | Failed;

/** Reads the words after `inkpod mcp`. `start` are the options of the start, for `serve`. */
export function readMcp([kind = '', ...words]: readonly string[], values: Values, start: Start): Read {
	const {json = false, project: isProject = false, write = false} = values;
	const place = where(values);
	const alone = (action: McpAction): Read =>
		words.length > 0 ? failed(noArguments(`mcp ${kind}`, words)) : {ok: true, action};
	if (kind === 'serve') return alone({kind, write, start});
	if (kind === 'list') return alone({kind, json, ...place});
	const [name = '', ...rest] = words;
	if (kind === 'remove' || kind === 'login' || kind === 'logout') {
		if (name === '' || rest.length > 0) return failed(mcpNeedsName(kind));
		if (kind === 'remove') return {ok: true, action: {kind, name, isProject, ...place}};
		if (kind === 'logout') return {ok: true, action: {kind, name, ...place}};
		const {trust = false, 'no-browser': noBrowser = false} = values;
		return {ok: true, action: {kind, name, noBrowser, trust, ...place}};
	}
	if (kind !== 'add') return failed(mcpNeedsAction);
	if (name === '' || rest[0] === undefined) return failed(mcpAddNeeds);
	const entry = readEntry(rest, values);
	return entry.ok ? {ok: true, action: {kind, name, entry: entry.entry, isProject, ...place}} : entry;
}

type Entry = {readonly ok: true; readonly entry: Readonly<Record<string, unknown>>} | Failed;

function readEntry([first = '', ...args]: readonly string[], {env = [], header = []}: Values): Entry {
	if (args.length === 0 && /^https?:\/\//i.test(first)) {
		if (env.length > 0) return failed(onlyForPrograms);
		const headers = pairs(header, /^([^:\s]+):\s*(.*)$/s);
		if (typeof headers === 'string') return failed(badPair('--header', headers, 'NAME: VALUE'));
		return {ok: true, entry: {type: 'http', url: first, ...(header.length > 0 && {headers})}};
	}
	if (header.length > 0) return failed(onlyForUrls);
	const variables = pairs(env, /^([^=]+)=(.*)$/s);
	if (typeof variables === 'string') return failed(badPair('--env', variables, 'NAME=VALUE'));
	return {
		ok: true,
		entry: {command: first, ...(args.length > 0 && {args}), ...(env.length > 0 && {env: variables})},
	};
}

/** Returns the values by their names, or the first text that is no pair. */
function pairs(texts: readonly string[], form: RegExp): Readonly<Record<string, string>> | string {
	const read: Array<[string, string]> = [];
	for (const text of texts) {
		const [, name, value] = form.exec(text) ?? [];
		if (name === undefined || value === undefined) return text;
		read.push([name, value]);
	}
	return Object.fromEntries(read);
}

function failed(sentence: string): Failed {
	return {ok: false, sentence};
}

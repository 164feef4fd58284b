import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openChat, pressApart, send} from '../helpers/chat.ts';
import {projectRoot} from '../helpers/built.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {width} from '../../src/text/width.ts';

type Language = 'en' | 'ja' | 'zh';

/** Returns a text in a language, for the place of the screen that a test waits for. */
function wordsOf(language: Language): (key: string) => string {
	if (language === 'en') return key => key;
	// What is typed has no translation.
	const texts: Record<string, string> = JSON.parse(
		readFileSync(join(projectRoot, `src/language/${language}.json`), 'utf8'),
	);
	return key => texts[key] ?? key;
}

const script = [
	[{type: 'tool_call', name: 'bash', arguments: {command: 'echo one; exit 3'}}],
	[{type: 'tool_call', name: 'write_file', arguments: {path: 'b.md', content: 'one\ntwo\n'}}],
	[{type: 'text', text: 'Done.'}],
];

/** Commands that open a page, with the title of the page. */
const pages = {
	'/help': 'Help',
	'/context': 'Context',
	'/model': 'Models',
	'/mcp': 'MCP servers',
	'/permissions': 'Permissions',
	'/workflows': 'Workflows',
	'/cost': 'Cost of this session',
	'/rewind': 'Rewind to before',
	'/tasks': 'Child sessions and background commands',
	'/config': 'Settings',
	'/theme': 'Theme',
} as const;

/** Keys that open a list or a field above the composer, with a text in it, and the keys that close it. */
const fields = {
	'the commands': {keys: '/', label: '/theme', close: '\x7f'},
	'the files': {keys: '@', label: 'a.md', close: '\x7f'},
	'earlier prompts': {keys: '\x12', label: 'Prompts: ', close: '\x1b'},
	'the search': {keys: '\x1bOR', label: 'Search: ', close: '\x1b'},
} as const;

/** A key without the words that say what it does. */
const cutKey =
	/(?:\b(?:Ctrl|Alt|Shift)\+?|(?:^|[\s·])(?:Esc|Enter|Tab|PgUp|PgDn|Space))\s*…?\s*$|\b(?:Ctr|Es|Ent|Ente|PgU|PgD)…/;

/** Texts that are shown only while something happens. */
const transient = ['sending…', 'looking for servers…'];

/** Opens the screens of a short session at 60 columns, and returns their rows by name. */
async function screens(language: Language, rows: number): Promise<ReadonlyMap<string, readonly string[]>> {
	const say = wordsOf(language);
	const project = await tempProject({'script.json': JSON.stringify(script), 'a.md': 'one\n'});
	const terminal = await openChat({
		cwd: project.dir,
		args: ['--model', 'scripted:script.json'],
		env: {INKPOD_LANGUAGE: language},
		cols: 60,
		rows,
	});
	const shown = new Map<string, readonly string[]>();
	const take = (name: string) => shown.set(name, terminal.rows());
	await terminal.waitFor(say('idle'));
	await terminal.waitFor(say('Ask anything'));
	take('first screen');
	await send(terminal, 'go');
	await card(terminal, 'echo one');
	take('a card of a command');
	await pressApart(terminal, '1');
	await card(terminal, 'b.md');
	take('a card of an edit');
	await pressApart(terminal, '1');
	await terminal.waitFor(screen => screen.includes('Done.') && screen.includes(say('idle')));
	take('a turn');
	for (const [command, title] of Object.entries(pages)) {
		await send(terminal, command);
		await terminal.waitFor(screen => screen.split('\n')[0]!.startsWith(say(title)), {
			what: `${command} in ${language}`,
		});
		await terminal.waitFor(screen => transient.every(key => !screen.includes(say(key))));
		take(command);
		terminal.write('\x1b');
		const isClosed = (screen: string) => screen.includes('Done.') && !screen.split('\n')[0]!.startsWith(say(title));
		await terminal.waitFor(isClosed);
	}
	for (const [name, {keys, label, close}] of Object.entries(fields)) {
		terminal.write(keys);
		await terminal.waitFor(screen => screen.includes(say(label).trim()), {what: `${name} in ${language}`});
		await terminal.waitFor(screen => transient.every(key => !screen.includes(say(key))));
		if (label.endsWith(': ')) expect(terminal.cursor().column).toBe(width(say(label)));
		take(name);
		terminal.write(close);
		await terminal.waitFor(screen => !screen.includes(say(label).trim()), {what: `the end of ${name}`});
	}
	return shown;
}

/** Waits until a card and its hint are drawn. */
async function card(terminal: Terminal, about: string): Promise<void> {
	await terminal.waitFor(screen => screen.includes(about) && screen.includes('Esc: '), {
		what: `the card of ${about}`,
	});
}

describe.each(['ja', 'zh'] as const)('at 60 columns, in %s', language => {
	it.each([15, 40])(
		'the screens of %i rows are translated, whole, and cut nothing that English does not cut',
		async rows => {
			const [english, shown] = await Promise.all([screens('en', rows), screens(language, rows)]);
			const project = wordsOf(language)('Project');
			if (rows === 40) expect(shown.get('first screen')!.join('\n')).toContain(`${project}  `);
			for (const [name, own] of shown) {
				const cut = (all: readonly string[]) => all.filter(row => /…\s*$/.test(row));
				const isMore = cut(own).length > cut(english.get(name)!).length;
				expect([name, ...(isMore ? cut(own) : [])]).toEqual([name]);
				expect(own.filter(row => width(row) > 60)).toEqual([]);
				// Japanese and Chinese forbid these marks at the start of a row.
				expect([name, ...own.filter(row => /^[\s│]*[、。，．：；！？）」』]/.test(row))]).toEqual([name]);
				expect([name, ...[...own, ...english.get(name)!].filter(row => cutKey.test(row))]).toEqual([name]);
				expect([name, own.join('\n')]).not.toEqual([name, english.get(name)!.join('\n')]);
			}
		},
	);
});

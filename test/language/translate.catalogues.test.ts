import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {textsOf} from '../../scripts/extract-texts.mjs';
import {helpKeys} from '../../src/cli/help/usage.ts';
import {table} from '../../src/cli/subcommands/list.ts';
import {settingKeys} from '../../src/pod/config/settings/all-settings.ts';
import {width} from '../../src/text/width.ts';
import {projectRoot} from '../helpers/built.ts';

/** The keys of all texts, with the files that contain them. */
const files = globSync('src/**/*.{ts,tsx}', {cwd: projectRoot}).toSorted();
const sources = new Map<string, readonly string[]>();
for (const file of files)
	for (const key of textsOf(file, readFileSync(join(projectRoot, file), 'utf8')))
		sources.set(key, [...(sources.get(key) ?? []), file]);
for (const key of helpKeys(table)) sources.set(key, [...(sources.get(key) ?? []), 'src/cli/help/usage.ts']);
for (const key of settingKeys())
	sources.set(key, [...(sources.get(key) ?? []), 'src/pod/config/settings/all-settings.ts']);

const catalogue = (language: string): Readonly<Record<string, string>> =>
	JSON.parse(readFileSync(join(projectRoot, `src/language/${language}.json`), 'utf8'));

const placeholders = (text: string) => [...new Set(text.match(/\{\d\}/g))].toSorted();
const ends = (text: string) => [/^ /.test(text), / $/.test(text), text.split('\n').length];
/** What a user types or reads elsewhere, and that no translation changes. */
const typed = (text: string) =>
	(
		text.match(/`[^`]+`|--[a-z][a-z-]+|Ctrl\+[A-Z]|Alt\+[A-Z]|\b(?:PgUp|PgDn|Esc|Tab)\b|\$[A-Z_]{3,}/g) ?? []
	).toSorted();

describe.each(['ja', 'zh'])('the catalogue %s', language => {
	const texts = catalogue(language);

	it('has translations of texts that exist, and is followed by a list of the texts that lack one', () => {
		const missing = [...sources.keys()].filter(key => texts[key] === undefined);
		if (missing.length > 0) console.log([`Not translated (${language}), so English:`, ...missing].join('\n- '));
		expect(Object.keys(texts).filter(key => !sources.has(key))).toEqual([]);
	});

	it('keeps values, line breaks, spaces at the ends, keys, options and code', () => {
		const changed = Object.entries(texts).filter(
			([key, text]) =>
				JSON.stringify([placeholders(key), ends(key), typed(key)]) !==
				JSON.stringify([placeholders(text), ends(text), typed(text)]),
		);
		expect(changed).toEqual([]);
	});

	it('has no invisible or control characters, and no half of a pair', () => {
		const isOdd = (text: string) => /[\p{Cf}\p{Co}\p{Cs}]|[\0-\t\v-\u001f\u007f-\u009f]/u.test(text);
		expect(Object.values(texts).filter(isOdd)).toEqual([]);
	});

	it('is at most as wide as 60 columns allow, where a text has one row', () => {
		const tooWide = Object.entries(texts).filter(([key, text]) => {
			const isOneRow = sources.get(key)!.some(file => oneRow.test(file));
			return isOneRow && width(text) > Math.max(limit, width(key));
		});
		expect(tooWide.map(([key, text]) => `${width(key)} -> ${width(text)}: ${text}`)).toEqual([]);
	});
});

/** Files of texts that a screen shows in one row: the status line, hints, placeholders, choices, titles of lists. */
const features = 'status|card|picker|queue|task-list|prompt-history|search|selection|completion|first-screen';
const oneRow = new RegExp(`^src/screen/(?:editor|\\w+/(?:${features}))/`);

/** A row has 60 cells. Signs, numbers and separators around a text need some of them. */
const limit = 40;

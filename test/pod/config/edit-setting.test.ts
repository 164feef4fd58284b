import fc from 'fast-check';
import {parse} from 'smol-toml';
import {describe, expect, it} from 'vitest';
import {editSetting} from '../../../src/pod/config/edit-setting.ts';
import type {SettingValue} from '../../../src/pod/config/toml-statements.ts';

const file = `# my settings
max_turns = 50   # calls

[screen]   # how it looks
bell = "never"      # quiet
  mouse = true

# about models
[models."a/b"]
temperature = 0.2

[[permission]]
tool = "bash"
action = "ask"
`;

describe('an edit of a setting', () => {
	it.each([
		[['max_turns'], 60, 'max_turns = 50   #', 'max_turns = 60   #'],
		[['screen', 'bell'], 'always', 'bell = "never"      #', 'bell = "always"      #'],
		[['screen', 'theme'], 'dark', '  mouse = true\n', '  mouse = true\n  theme = "dark"\n'],
		[['screen', 'status'], ['model', 'keys'], '  mouse = true\n', '  mouse = true\n  status = ["model", "keys"]\n'],
		[['models', 'a/b', 'top_p'], 0.5, 'temperature = 0.2\n', 'temperature = 0.2\ntop_p = 0.5\n'],
		[['screen', 'mouse'], undefined, '  mouse = true\n', ''],
		[['screen', 'bell'], undefined, 'bell = "never"      # quiet', '# quiet'],
	] as ReadonlyArray<readonly [string[], SettingValue | undefined, string, string]>)(
		'changes only the line of %j',
		(path, value, before, after) => {
			expect(editSetting(file, path, value)).toBe(file.replace(before, after));
		},
	);

	it('adds a table at the end, and a key of the root at the beginning', () => {
		expect(editSetting(file, ['retry', 'max_attempts'], 3)).toBe(`${file}\n[retry]\nmax_attempts = 3\n`);
		expect(editSetting('[screen]\n', ['max_turns'], 3)).toBe('max_turns = 3\n\n[screen]\n');
		expect(editSetting('', ['screen', 'mouse'], false)).toBe('[screen]\nmouse = false\n');
		expect(editSetting('[a]\nx = 1', ['a', 'y'], 2)).toBe('[a]\nx = 1\ny = 2\n');
	});

	it.each([
		[
			'screen = {mouse = true, title = false}',
			['screen', 'mouse'],
			false,
			'screen = {mouse = false, title = false}',
		],
		['screen = {mouse = true}', ['screen', 'title'], false, 'screen = {mouse = true, title = false}'],
		['screen = {mouse = true, title = false}', ['screen', 'mouse'], undefined, 'screen = {title = false}'],
		['screen = {mouse = true, title = false}', ['screen', 'title'], undefined, 'screen = {mouse = true}'],
		['a.b = {c = {d = 1, e = 2}}', ['a', 'b', 'c', 'd'], 3, 'a.b = {c = {d = 3, e = 2}}'],
		['screen.mouse = true # x', ['screen', 'title'], false, 'screen.mouse = true # x\nscreen.title = false\n'],
		['screen.mouse = true # x', ['screen', 'mouse'], undefined, '# x'],
		["x = '''\na = 1\n'''\na = 2", ['a'], 3, "x = '''\na = 1\n'''\na = 3"],
		['a = [ # list\n  "x", # one\n]\nb = 1', ['a'], ['y'], 'a = ["y"]\nb = 1'],
		['[t]\r\na = 1\r\n', ['t', 'b'], 2, '[t]\r\na = 1\r\nb = 2\r\n'],
		['"a b"."c" = 1', ['a b', 'c'], 'x\u202e"', String.raw`"a b"."c" = "x\u202e\""`],
	] as ReadonlyArray<readonly [string, string[], SettingValue | undefined, string]>)(
		'understands %j',
		(text, path, value, wanted) => {
			expect(editSetting(text, path, value)).toBe(wanted);
		},
	);

	it('changes nothing where it cannot be exact', () => {
		expect(editSetting(file, ['permission', 'tool'], 'edit')).toBeUndefined();
		expect(editSetting('screen = 3', ['screen', 'mouse'], true)).toBeUndefined();
		expect(editSetting(file, ['screen', 'theme'], undefined)).toBe(file);
	});
});

const key = fc.constantFrom('a', 'b', 'screen', 'x y', 'é', '__proto__', 'q"t');
const value = fc.oneof(
	fc.constantFrom('true', '1', '"a # b"', "'= ]'", '[1, 2]', '["x",\n  "y", # in a list\n]', '{}', '"""\n[a]\n"""'),
	fc.constantFrom('{a = 1}', '{a = {b = 1}, screen = "}"}', '1979-05-27', '0.5'),
);
const named = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));
const dotted = fc.array(key, {minLength: 1, maxLength: 3}).map(keys => keys.map(named).join('.'));
const line = fc.oneof(
	{weight: 4, arbitrary: fc.tuple(dotted, value).map(([path, one]) => `${path} = ${one}`)},
	{weight: 2, arbitrary: dotted.map(path => `[${path}]`)},
	dotted.map(path => `[[${path}]]`),
	fc.constantFrom('', '# comment', '  # [a]', '\t'),
);
const end = fc.constantFrom('', '   ', ' # why = "x"');
/** A valid document. Lines that do not fit the ones before are left out. */
const documents = fc
	.tuple(fc.array(fc.tuple(line, end), {maxLength: 12}), fc.constantFrom('\n', '\r\n'), fc.boolean())
	.map(([lines, lineBreak, isEnded]) => {
		let text = '';
		for (const [one, rest] of lines) {
			const longer = text + (one + rest).replaceAll('\n', lineBreak) + lineBreak;
			if (isValid(longer)) text = longer;
		}
		return isEnded ? text : text.trimEnd();
	})
	.filter(isValid);
const settings = fc.oneof(
	fc.string({unit: 'binary'}),
	fc.integer(),
	fc.double({noNaN: true, noDefaultInfinity: true}),
	fc.boolean(),
	fc.array(fc.string(), {maxLength: 3}),
	fc.constant(undefined),
);

function isValid(text: string): boolean {
	try {
		parse(text);
		return true;
	} catch {
		return false;
	}
}

function comments(text: string): readonly string[] {
	return text.split(/\r?\n/).flatMap(each => /# (?:comment|\[a\]|why = "x")$/.exec(each)?.[0] ?? []);
}

describe('an edit of any document', () => {
	it('changes one setting in one place, and keeps all comments', () => {
		let edits = 0;
		fc.assert(
			fc.property(documents, fc.array(key, {minLength: 1, maxLength: 3}), settings, (text, path, wanted) => {
				const edited = editSetting(text, path, wanted);
				if (edited === undefined) return;
				edits += 1;
				// An empty table is not a setting.
				if (wanted === undefined && typeof at(parse(text), path) === 'object') return;
				expect(at(parse(edited), path)).toEqual(wanted);
				expect(comments(edited)).toEqual(comments(text));
				const again = editSetting(edited, path, wanted);
				expect(again).toBe(edited);
			}),
			{numRuns: 400},
		);
		expect(edits).toBeGreaterThan(200);
	});
});

function at(table: unknown, path: readonly string[]): unknown {
	let here: unknown = table;
	for (const each of path) {
		if (typeof here !== 'object' || here === null || !Object.hasOwn(here, each)) return undefined;
		here = Reflect.get(here, each);
	}
	return here;
}
